"""How a simulated profile is installed, in six languages: the guides of an iPhone, an older one, and Android devices."""

from apps.esim.suppliers.base import Guide, Instructions

Steps = tuple[str, ...]
Words = dict[str, tuple[str, Steps, Steps, Steps]]
"""By device: the versions that the guide is for, the steps with the QR code, those without it, and those for the network."""

IPHONE, OLDER_IPHONE, ANDROID = "iphone", "older iphone", "android"

WORDS: dict[str, Words] = {
    "en": {
        IPHONE: (
            "17.4 or later",
            (
                "Open the installation link on the iPhone, or go to Settings, Mobile Service, Add eSIM, Use QR Code.",
                "Scan the QR code and confirm.",
                "Wait until the eSIM is activated, which may take some minutes.",
                "Give the line a name, and choose it for mobile data.",
            ),
            (
                "Go to Settings, Mobile Service, Add eSIM, Use QR Code, Enter Details Manually.",
                "Type in the SM-DP+ address and the activation code, and the confirmation code if there is one.",
                "Confirm, and wait until the eSIM is activated.",
            ),
            (
                "Go to Settings, Mobile Service, and choose the new line.",
                "Turn the line and data roaming on.",
            ),
        ),
        OLDER_IPHONE: (
            "12.1 to 17.3",
            (
                "Go to Settings, Mobile Data, Add Data Plan.",
                "Scan the QR code and confirm.",
                "Give the line a name, and choose it for mobile data.",
            ),
            (
                "Go to Settings, Mobile Data, Add Data Plan, Enter Details Manually.",
                "Type in the SM-DP+ address and the activation code, and the confirmation code if there is one.",
            ),
            (
                "Go to Settings, Mobile Service, and choose the new line.",
                "Turn the line and data roaming on.",
            ),
        ),
        ANDROID: (
            "",
            (
                "Go to Settings, Network and internet, SIMs, Add eSIM.",
                "Scan the QR code and confirm.",
                "Turn the new SIM on, and choose it for mobile data.",
            ),
            (
                "Go to Settings, Network and internet, SIMs, Add eSIM, and ask for help instead of scanning.",
                "Type in the activation code, which begins with LPA:1, and the confirmation code if there is one.",
            ),
            ("Go to Settings, Network and internet, SIMs, choose the new SIM and turn roaming on.",),
        ),
    },
    "de": {
        IPHONE: (
            "17.4 oder neuer",
            (
                "Öffnen Sie den Installationslink auf dem iPhone, oder gehen Sie zu Einstellungen, Mobilfunk, eSIM hinzufügen, "
                "QR-Code verwenden.",
                "Scannen Sie den QR-Code und bestätigen Sie.",
                "Warten Sie, bis die eSIM aktiviert ist. Das kann einige Minuten dauern.",
                "Geben Sie der Leitung einen Namen und wählen Sie sie für mobile Daten.",
            ),
            (
                "Gehen Sie zu Einstellungen, Mobilfunk, eSIM hinzufügen, QR-Code verwenden, Details manuell eingeben.",
                "Geben Sie die SM-DP+-Adresse und den Aktivierungscode ein, und den Bestätigungscode, falls es einen gibt.",
                "Bestätigen Sie und warten Sie, bis die eSIM aktiviert ist.",
            ),
            (
                "Gehen Sie zu Einstellungen, Mobilfunk, und wählen Sie die neue Leitung.",
                "Schalten Sie die Leitung und das Datenroaming ein.",
            ),
        ),
        OLDER_IPHONE: (
            "12.1 bis 17.3",
            (
                "Gehen Sie zu Einstellungen, Mobiles Netz, Mobilfunktarif hinzufügen.",
                "Scannen Sie den QR-Code und bestätigen Sie.",
                "Geben Sie der Leitung einen Namen und wählen Sie sie für mobile Daten.",
            ),
            (
                "Gehen Sie zu Einstellungen, Mobiles Netz, Mobilfunktarif hinzufügen, Details manuell eingeben.",
                "Geben Sie die SM-DP+-Adresse und den Aktivierungscode ein, und den Bestätigungscode, falls es einen gibt.",
            ),
            (
                "Gehen Sie zu Einstellungen, Mobiles Netz, und wählen Sie die neue Leitung.",
                "Schalten Sie die Leitung und das Datenroaming ein.",
            ),
        ),
        ANDROID: (
            "",
            (
                "Gehen Sie zu Einstellungen, Netzwerk und Internet, SIM-Karten, eSIM hinzufügen.",
                "Scannen Sie den QR-Code und bestätigen Sie.",
                "Schalten Sie die neue SIM ein und wählen Sie sie für mobile Daten.",
            ),
            (
                "Gehen Sie zu Einstellungen, Netzwerk und Internet, SIM-Karten, eSIM hinzufügen, und wählen Sie "
                "Hilfe, statt zu scannen.",
                "Geben Sie den Aktivierungscode ein, der mit LPA:1 beginnt, und den Bestätigungscode, falls es einen gibt.",
            ),
            (
                "Gehen Sie zu Einstellungen, Netzwerk und Internet, SIM-Karten, wählen Sie die neue SIM "
                "und schalten Sie Roaming ein.",
            ),
        ),
    },
    "fr": {
        IPHONE: (
            "17.4 ou ultérieure",
            (
                "Ouvrez le lien d'installation sur l'iPhone, ou allez dans Réglages, Données cellulaires, Ajouter une eSIM, "
                "Utiliser un code QR.",
                "Scannez le code QR et confirmez.",
                "Attendez que l'eSIM soit activée, ce qui peut prendre quelques minutes.",
                "Donnez un nom à la ligne et choisissez-la pour les données cellulaires.",
            ),
            (
                "Allez dans Réglages, Données cellulaires, Ajouter une eSIM, Utiliser un code QR, "
                "Saisir les détails manuellement.",
                "Saisissez l'adresse SM-DP+ et le code d'activation, ainsi que le code de confirmation s'il y en a un.",
                "Confirmez et attendez que l'eSIM soit activée.",
            ),
            (
                "Allez dans Réglages, Données cellulaires, et choisissez la nouvelle ligne.",
                "Activez la ligne et l'itinérance des données.",
            ),
        ),
        OLDER_IPHONE: (
            "12.1 à 17.3",
            (
                "Allez dans Réglages, Données cellulaires, Ajouter un forfait cellulaire.",
                "Scannez le code QR et confirmez.",
                "Donnez un nom à la ligne et choisissez-la pour les données cellulaires.",
            ),
            (
                "Allez dans Réglages, Données cellulaires, Ajouter un forfait cellulaire, Saisir les détails manuellement.",
                "Saisissez l'adresse SM-DP+ et le code d'activation, ainsi que le code de confirmation s'il y en a un.",
            ),
            (
                "Allez dans Réglages, Données cellulaires, et choisissez la nouvelle ligne.",
                "Activez la ligne et l'itinérance des données.",
            ),
        ),
        ANDROID: (
            "",
            (
                "Allez dans Paramètres, Réseau et Internet, Cartes SIM, Ajouter une eSIM.",
                "Scannez le code QR et confirmez.",
                "Activez la nouvelle SIM et choisissez-la pour les données mobiles.",
            ),
            (
                "Allez dans Paramètres, Réseau et Internet, Cartes SIM, Ajouter une eSIM, "
                "et demandez de l'aide au lieu de scanner.",
                "Saisissez le code d'activation, qui commence par LPA:1, et le code de confirmation s'il y en a un.",
            ),
            (
                "Allez dans Paramètres, Réseau et Internet, Cartes SIM, choisissez la nouvelle SIM et activez l'itinérance.",
            ),
        ),
    },
    "es": {
        IPHONE: (
            "17.4 o posterior",
            (
                "Abra el enlace de instalación en el iPhone, o vaya a Ajustes, Datos móviles, Añadir eSIM, Usar código QR.",
                "Escanee el código QR y confirme.",
                "Espere a que se active la eSIM, lo que puede tardar unos minutos.",
                "Dé un nombre a la línea y elíjala para los datos móviles.",
            ),
            (
                "Vaya a Ajustes, Datos móviles, Añadir eSIM, Usar código QR, Introducir los datos manualmente.",
                "Escriba la dirección SM-DP+ y el código de activación, y el código de confirmación si lo hay.",
                "Confirme y espere a que se active la eSIM.",
            ),
            (
                "Vaya a Ajustes, Datos móviles, y elija la línea nueva.",
                "Active la línea y la itinerancia de datos.",
            ),
        ),
        OLDER_IPHONE: (
            "12.1 a 17.3",
            (
                "Vaya a Ajustes, Datos móviles, Añadir plan móvil.",
                "Escanee el código QR y confirme.",
                "Dé un nombre a la línea y elíjala para los datos móviles.",
            ),
            (
                "Vaya a Ajustes, Datos móviles, Añadir plan móvil, Introducir los datos manualmente.",
                "Escriba la dirección SM-DP+ y el código de activación, y el código de confirmación si lo hay.",
            ),
            (
                "Vaya a Ajustes, Datos móviles, y elija la línea nueva.",
                "Active la línea y la itinerancia de datos.",
            ),
        ),
        ANDROID: (
            "",
            (
                "Vaya a Ajustes, Redes e Internet, SIM, Añadir eSIM.",
                "Escanee el código QR y confirme.",
                "Active la SIM nueva y elíjala para los datos móviles.",
            ),
            (
                "Vaya a Ajustes, Redes e Internet, SIM, Añadir eSIM, y pida ayuda en lugar de escanear.",
                "Escriba el código de activación, que empieza por LPA:1, y el código de confirmación si lo hay.",
            ),
            ("Vaya a Ajustes, Redes e Internet, SIM, elija la SIM nueva y active la itinerancia.",),
        ),
    },
    "pt": {
        IPHONE: (
            "17.4 ou posterior",
            (
                "Abra a ligação de instalação no iPhone, ou vá a Definições, Rede móvel, Adicionar eSIM, Usar código QR.",
                "Leia o código QR e confirme.",
                "Aguarde até que o eSIM seja ativado, o que pode demorar alguns minutos.",
                "Dê um nome à linha e escolha-a para os dados móveis.",
            ),
            (
                "Vá a Definições, Rede móvel, Adicionar eSIM, Usar código QR, Introduzir detalhes manualmente.",
                "Introduza o endereço SM-DP+ e o código de ativação, e o código de confirmação, se existir.",
                "Confirme e aguarde até que o eSIM seja ativado.",
            ),
            (
                "Vá a Definições, Rede móvel, e escolha a nova linha.",
                "Ative a linha e o roaming de dados.",
            ),
        ),
        OLDER_IPHONE: (
            "12.1 a 17.3",
            (
                "Vá a Definições, Dados móveis, Adicionar plano móvel.",
                "Leia o código QR e confirme.",
                "Dê um nome à linha e escolha-a para os dados móveis.",
            ),
            (
                "Vá a Definições, Dados móveis, Adicionar plano móvel, Introduzir detalhes manualmente.",
                "Introduza o endereço SM-DP+ e o código de ativação, e o código de confirmação, se existir.",
            ),
            (
                "Vá a Definições, Dados móveis, e escolha a nova linha.",
                "Ative a linha e o roaming de dados.",
            ),
        ),
        ANDROID: (
            "",
            (
                "Vá a Definições, Rede e Internet, SIM, Adicionar eSIM.",
                "Leia o código QR e confirme.",
                "Ative o novo SIM e escolha-o para os dados móveis.",
            ),
            (
                "Vá a Definições, Rede e Internet, SIM, Adicionar eSIM, e peça ajuda em vez de ler o código.",
                "Introduza o código de ativação, que começa por LPA:1, e o código de confirmação, se existir.",
            ),
            ("Vá a Definições, Rede e Internet, SIM, escolha o novo SIM e ative o roaming.",),
        ),
    },
    "it": {
        IPHONE: (
            "17.4 o successiva",
            (
                "Aprire il link di installazione sull'iPhone, oppure andare in Impostazioni, Cellulare, "
                "Aggiungi eSIM, Usa codice QR.",
                "Scansionare il codice QR e confermare.",
                "Attendere che la eSIM sia attivata: può richiedere qualche minuto.",
                "Dare un nome alla linea e sceglierla per i dati cellulare.",
            ),
            (
                "Andare in Impostazioni, Cellulare, Aggiungi eSIM, Usa codice QR, Inserisci i dettagli manualmente.",
                "Inserire l'indirizzo SM-DP+ e il codice di attivazione, e il codice di conferma se presente.",
                "Confermare e attendere che la eSIM sia attivata.",
            ),
            (
                "Andare in Impostazioni, Cellulare, e scegliere la nuova linea.",
                "Attivare la linea e il roaming dati.",
            ),
        ),
        OLDER_IPHONE: (
            "da 12.1 a 17.3",
            (
                "Andare in Impostazioni, Dati cellulare, Aggiungi piano cellulare.",
                "Scansionare il codice QR e confermare.",
                "Dare un nome alla linea e sceglierla per i dati cellulare.",
            ),
            (
                "Andare in Impostazioni, Dati cellulare, Aggiungi piano cellulare, Inserisci i dettagli manualmente.",
                "Inserire l'indirizzo SM-DP+ e il codice di attivazione, e il codice di conferma se presente.",
            ),
            (
                "Andare in Impostazioni, Dati cellulare, e scegliere la nuova linea.",
                "Attivare la linea e il roaming dati.",
            ),
        ),
        ANDROID: (
            "",
            (
                "Andare in Impostazioni, Rete e Internet, SIM, Aggiungi eSIM.",
                "Scansionare il codice QR e confermare.",
                "Attivare la nuova SIM e sceglierla per i dati mobili.",
            ),
            (
                "Andare in Impostazioni, Rete e Internet, SIM, Aggiungi eSIM, e chiedere aiuto invece di scansionare.",
                "Inserire il codice di attivazione, che inizia con LPA:1, e il codice di conferma se presente.",
            ),
            ("Andare in Impostazioni, Rete e Internet, SIM, scegliere la nuova SIM e attivare il roaming.",),
        ),
    },
}
LANGUAGES = tuple(WORDS)


def instructions_in(language: str) -> Instructions:
    """`language` is one of LANGUAGES."""
    return Instructions(
        language, tuple(guide_for(device, *words) for device, words in WORDS[language].items())
    )


def guide_for(device: str, version: str, qr_code: Steps, by_hand: Steps, network: Steps) -> Guide:
    is_android = device == ANDROID
    return Guide(
        platform="android" if is_android else "ios",
        version=version or None,
        model=None,
        qr_code_steps=qr_code,
        manual_steps=by_hand,
        network_steps=network,
        apn="simulator" if is_android else None,
        data_roaming=True,
    )
