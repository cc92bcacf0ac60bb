from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("suppliers", "0009_alert_kind_credit_low"),
    ]

    operations = [
        migrations.AlterField(
            model_name="supplieralert",
            name="kind",
            field=models.CharField(
                choices=[
                    ("wallet_empty", "Wallet Empty"),
                    ("credentials_refused", "Credentials Refused"),
                    ("quota_used_up", "Quota Used Up"),
                    ("price_above_quote", "Price Above Quote"),
                    ("duplicate_reference", "Duplicate Reference"),
                    ("request_refused", "Request Refused"),
                    ("exchange_rate_old", "Exchange Rate Old"),
                    ("credit_low", "Credit Low"),
                    ("full_credit", "Full Credit"),
                    ("unresolved", "Unresolved"),
                ],
                max_length=32,
            ),
        ),
    ]
