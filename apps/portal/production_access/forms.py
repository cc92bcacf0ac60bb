from django import forms


class ProductionAccessForm(forms.Form):
    note = forms.CharField(
        label="What will you sell, and to whom?",
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="A sentence or two, and your website: a person reads it.",
    )
