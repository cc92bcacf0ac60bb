"""The signature doctor: why a receiver refuses a delivery, from what its owner pastes.

Pure functions of what was pasted and of what is known of the account: `pasted` reads headers, `signature_headers` the two
signatures, `bodies` compares bytes, `matching` finds what made a signature, `computed` what the receiver's code did,
`diagnosis` puts the findings in order. No finding contains a secret, or a signature that was not pasted.
"""
