"""How suppliers' answers drift away from what was documented: fields that nobody knew, are missing, or are of another type.

What is known of a supplier's answers is `known.json` in its connector's folder, learned from its stand-in
(`make shapes`). `watching` compares a sample of live answers with it, beside the calls; `counting` keeps how often each
field differed, never a value.
"""
