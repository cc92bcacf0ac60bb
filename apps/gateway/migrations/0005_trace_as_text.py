from django.db import migrations, models

# The milliseconds become microseconds, and "passed" is no longer said.
KEEP = """
UPDATE gateway_loggedcall SET trace = (
    SELECT string_agg(
               (step ->> 0) || ' ' || round((step ->> 2)::numeric * 1000)
               || CASE WHEN step ->> 1 = 'passed' THEN '' ELSE ' ' || (step ->> 1) END,
               ';' ORDER BY place)
      FROM jsonb_array_elements(steps) WITH ORDINALITY AS taken (step, place))
 WHERE jsonb_array_length(steps) > 0
"""
BACK = """
UPDATE gateway_loggedcall SET steps = (
    SELECT jsonb_agg(
               jsonb_build_array(split_part(step, ' ', 1), COALESCE(NULLIF(split_part(step, ' ', 3), ''), 'passed'),
                                 split_part(step, ' ', 2)::numeric / 1000)
               ORDER BY place)
      FROM string_to_table(trace, ';') WITH ORDINALITY AS taken (step, place))
 WHERE trace <> ''
"""


class Migration(migrations.Migration):
    dependencies = [
        ("gateway", "0004_request_log"),
    ]

    operations = [
        migrations.AddField(
            model_name="loggedcall",
            name="trace",
            field=models.TextField(
                blank=True,
                default="",
                help_text="The steps in the order taken: name, microseconds, verdict if refused",
            ),
        ),
        migrations.RunSQL(KEEP, BACK),
        migrations.RemoveField(
            model_name="loggedcall",
            name="steps",
        ),
    ]
