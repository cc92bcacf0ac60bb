"""How to install a simulated profile: what any phone of the two kinds asks for, in our own words."""

from apps.esim.suppliers.base import Guide, Instructions

IPHONE = Guide(
    platform="ios",
    version="17.4 or later",
    model=None,
    qr_code_steps=(
        "Open the installation link on the iPhone, or go to Settings, Mobile Service, Add eSIM, Use QR Code.",
        "Scan the QR code and confirm.",
        "Wait until the eSIM is activated, which may take some minutes.",
        "Give the line a name, and choose it for mobile data.",
    ),
    manual_steps=(
        "Go to Settings, Mobile Service, Add eSIM, Use QR Code, Enter Details Manually.",
        "Type in the SM-DP+ address and the activation code, and the confirmation code if there is one.",
        "Confirm, and wait until the eSIM is activated.",
    ),
    network_steps=(
        "Go to Settings, Mobile Service, and choose the new line.",
        "Turn the line and data roaming on.",
    ),
    data_roaming=True,
)
OLDER_IPHONE = Guide(
    platform="ios",
    version="12.1 to 17.3",
    model=None,
    qr_code_steps=(
        "Go to Settings, Mobile Data, Add Data Plan.",
        "Scan the QR code and confirm.",
        "Give the line a name, and choose it for mobile data.",
    ),
    manual_steps=(
        "Go to Settings, Mobile Data, Add Data Plan, Enter Details Manually.",
        "Type in the SM-DP+ address and the activation code, and the confirmation code if there is one.",
    ),
    network_steps=IPHONE.network_steps,
    data_roaming=True,
)
ANDROID = Guide(
    platform="android",
    version=None,
    model=None,
    qr_code_steps=(
        "Go to Settings, Network and internet, SIMs, Add eSIM.",
        "Scan the QR code and confirm.",
        "Turn the new SIM on, and choose it for mobile data.",
    ),
    manual_steps=(
        "Go to Settings, Network and internet, SIMs, Add eSIM, and ask for help instead of scanning.",
        "Type in the activation code, which begins with LPA:1, and the confirmation code if there is one.",
    ),
    network_steps=("Go to Settings, Network and internet, SIMs, choose the new SIM and turn roaming on.",),
    apn="simulator",
    data_roaming=True,
)
INSTRUCTIONS = Instructions("en", (IPHONE, OLDER_IPHONE, ANDROID))
