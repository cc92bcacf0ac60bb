"""What the simulator says of its hotels, in six languages: sentences to fill in, and words to fill them with."""

from apps.common.languages import ENGLISH
from apps.suppliers.values import Value

LANGUAGES: tuple[str, ...] = (ENGLISH, "de", "fr", "es", "pt", "it")


class Texts(Value, frozen=True):
    """Of one language. `description` takes name, city and the word for so many stars; `renovated` month and year; `deposit` an
    amount with its currency. `rules`: by kind, a title and a sentence.
    """

    kind: str
    classes: dict[int, str]
    description: str
    surroundings: tuple[str, ...]
    renovated: str
    rooms: dict[str, str]
    room: str
    views: tuple[str, ...]
    double_bed: str
    single_beds: str
    room_amenities: tuple[str, ...]
    keys: str
    deposit: str
    resort_fee: str
    information: str
    rules: dict[str, tuple[str, str]]
    pictures: dict[str, str]
    facilities: dict[str, str]


def _named(words: str) -> dict[str, str]:
    """`code: name | code: name`."""
    pairs = (pair.strip().split(": ", 1) for pair in words.split("|"))
    return {code.strip(): name.strip() for code, name in pairs}


TEXTS = {
    "en": Texts(
        kind="Hotel",
        classes={
            2: "a simple, friendly house",
            3: "a comfortable hotel",
            4: "a modern hotel",
            5: "a grand hotel",
        },
        description="{name} is {house} in {city}.",
        surroundings=(
            "Shops and restaurants are around the corner.",
            "The next stop of the bus is two minutes away.",
            "The old town can be reached on foot.",
            "A park lies across the street.",
        ),
        renovated="The hotel was last renovated in {month:02d}/{year}.",
        rooms=_named(
            "standard: Standard Double Room | superior: Superior Double Room | family: Standard Family Room"
        ),
        room="Quiet and non-smoking, with a bathroom of its own.",
        views=("City View", "Courtyard View", "Garden View", "Park View"),
        double_bed="1 double bed",
        single_beds="2 single beds",
        room_amenities=("Hairdryer", "Television", "Safe", "Desk"),
        keys="The entrance is locked from 23:00 on. The code for it is sent on the day of arrival.",
        deposit="A deposit of {amount} for damage is taken by card on arrival and returned within seven days.",
        resort_fee="The resort fee for pool and gym is part of the price.",
        information="Guests show an identity document at the desk.",
        rules={
            "children": ("Children", "Children of any age are welcome."),
            "pets": ("Pets", "Pets are allowed on request. Charges may apply."),
            "internet": ("Internet", "Wi-Fi is free in all rooms."),
            "parking": ("Parking", "Public parking is possible nearby."),
        },
        pictures=_named(
            "front: {} from the street | room: A room | lobby: The lobby | pool: The pool | bathroom: The bathroom"
        ),
        facilities=_named(
            "wifi: Wi-Fi | reception_24h: 24-hour reception | parking: Parking | luggage_storage: Luggage storage | "
            "pets_allowed: Pets allowed | bar: Bar | breakfast_buffet: Breakfast buffet | air_conditioning: Air conditioning | "
            "bicycle_rental: Bicycle rental | restaurant: Restaurant | gym: Gym | room_service: Room service | "
            "airport_shuttle: Airport shuttle | meeting_rooms: Meeting rooms | spa: Spa | indoor_pool: Indoor pool | "
            "concierge: Concierge | valet_parking: Valet parking | butler: Butler"
        ),
    ),
    "de": Texts(
        kind="Hotel",
        classes={
            2: "ein einfaches, freundliches Haus",
            3: "ein komfortables Hotel",
            4: "ein modernes Hotel",
            5: "ein Grandhotel",
        },
        description="{name} ist {house} in {city}.",
        surroundings=(
            "Geschäfte und Restaurants liegen um die Ecke.",
            "Die nächste Bushaltestelle ist zwei Minuten entfernt.",
            "Die Altstadt ist zu Fuß erreichbar.",
            "Gegenüber liegt ein Park.",
        ),
        renovated="Das Hotel wurde zuletzt {month:02d}/{year} renoviert.",
        rooms=_named(
            "standard: Standard-Doppelzimmer | superior: Superior-Doppelzimmer | family: Standard-Familienzimmer"
        ),
        room="Ruhiges Nichtraucherzimmer mit eigenem Bad.",
        views=("Stadtblick", "Blick auf den Hof", "Gartenblick", "Parkblick"),
        double_bed="1 Doppelbett",
        single_beds="2 Einzelbetten",
        room_amenities=("Haartrockner", "Fernseher", "Safe", "Schreibtisch"),
        keys="Der Eingang ist ab 23:00 Uhr verschlossen. Der Code dafür kommt am Anreisetag.",
        deposit="Bei der Anreise wird eine Kaution von {amount} per Karte erhoben und binnen sieben Tagen erstattet.",
        resort_fee="Die Resortgebühr für Pool und Fitnessraum ist im Preis enthalten.",
        information="Gäste zeigen an der Rezeption einen Ausweis.",
        rules={
            "children": ("Kinder", "Kinder jeden Alters sind willkommen."),
            "pets": ("Haustiere", "Haustiere sind auf Anfrage erlaubt. Es können Gebühren anfallen."),
            "internet": ("Internet", "WLAN ist in allen Zimmern kostenlos."),
            "parking": ("Parken", "Öffentliche Parkplätze sind in der Nähe."),
        },
        pictures=_named(
            "front: {} von der Straße | room: Ein Zimmer | lobby: Die Lobby | pool: Das Schwimmbad | bathroom: Das Bad"
        ),
        facilities=_named(
            "wifi: WLAN | reception_24h: 24-Stunden-Rezeption | parking: Parkplatz | luggage_storage: Gepäckaufbewahrung | "
            "pets_allowed: Haustiere erlaubt | bar: Bar | breakfast_buffet: Frühstücksbuffet | air_conditioning: Klimaanlage | "
            "bicycle_rental: Fahrradverleih | restaurant: Restaurant | gym: Fitnessraum | room_service: Zimmerservice | "
            "airport_shuttle: Flughafentransfer | meeting_rooms: Tagungsräume | spa: Wellnessbereich | indoor_pool: Hallenbad | "
            "concierge: Concierge | valet_parking: Parkservice | butler: Butler"
        ),
    ),
    "fr": Texts(
        kind="Hôtel",
        classes={
            2: "une maison simple et accueillante",
            3: "un hôtel confortable",
            4: "un hôtel moderne",
            5: "un grand hôtel",
        },
        description="{name} est {house} à {city}.",
        surroundings=(
            "Boutiques et restaurants se trouvent au coin de la rue.",
            "L'arrêt de bus le plus proche est à deux minutes.",
            "La vieille ville est accessible à pied.",
            "Un parc se trouve en face.",
        ),
        renovated="L'hôtel a été rénové pour la dernière fois en {month:02d}/{year}.",
        rooms=_named(
            "standard: Chambre double standard | superior: Chambre double supérieure | family: Chambre familiale standard"
        ),
        room="Calme et non-fumeurs, avec salle de bains privée.",
        views=("vue sur la ville", "vue sur la cour", "vue sur le jardin", "vue sur le parc"),
        double_bed="1 lit double",
        single_beds="2 lits simples",
        room_amenities=("Sèche-cheveux", "Télévision", "Coffre-fort", "Bureau"),
        keys="L'entrée est fermée à clé à partir de 23h00. Le code est envoyé le jour de l'arrivée.",
        deposit="Une caution de {amount} est prélevée par carte à l'arrivée et rendue sous sept jours.",
        resort_fee="Les frais de séjour pour la piscine et la salle de sport sont compris dans le prix.",
        information="Les clients présentent une pièce d'identité à la réception.",
        rules={
            "children": ("Enfants", "Les enfants de tout âge sont les bienvenus."),
            "pets": ("Animaux", "Les animaux sont admis sur demande. Un supplément peut s'appliquer."),
            "internet": ("Internet", "Le Wi-Fi est gratuit dans toutes les chambres."),
            "parking": ("Stationnement", "Un parking public se trouve à proximité."),
        },
        pictures=_named(
            "front: {} vu de la rue | room: Une chambre | lobby: Le hall | pool: La piscine | bathroom: La salle de bains"
        ),
        facilities=_named(
            "wifi: Wi-Fi | reception_24h: Réception 24h/24 | parking: Parking | luggage_storage: Consigne à bagages | "
            "pets_allowed: Animaux admis | bar: Bar | breakfast_buffet: Petit-déjeuner buffet | "
            "air_conditioning: Climatisation | bicycle_rental: Location de vélos | restaurant: Restaurant | "
            "gym: Salle de sport | room_service: Service en chambre | airport_shuttle: Navette aéroport | "
            "meeting_rooms: Salles de réunion | spa: Spa | indoor_pool: Piscine intérieure | "
            "concierge: Conciergerie | valet_parking: Service voiturier | butler: Majordome"
        ),
    ),
    "es": Texts(
        kind="Hotel",
        classes={
            2: "una casa sencilla y acogedora",
            3: "un hotel cómodo",
            4: "un hotel moderno",
            5: "un gran hotel",
        },
        description="{name} es {house} en {city}.",
        surroundings=(
            "Hay tiendas y restaurantes a la vuelta de la esquina.",
            "La parada de autobús más cercana está a dos minutos.",
            "Al casco antiguo se llega a pie.",
            "Enfrente hay un parque.",
        ),
        renovated="El hotel se renovó por última vez en {month:02d}/{year}.",
        rooms=_named(
            "standard: Habitación doble estándar | superior: Habitación doble superior | family: Habitación familiar estándar"
        ),
        room="Tranquila y para no fumadores, con baño propio.",
        views=("vistas a la ciudad", "vistas al patio", "vistas al jardín", "vistas al parque"),
        double_bed="1 cama doble",
        single_beds="2 camas individuales",
        room_amenities=("Secador de pelo", "Televisión", "Caja fuerte", "Escritorio"),
        keys="La entrada se cierra con llave a partir de las 23:00. El código se envía el día de la llegada.",
        deposit="A la llegada se cobra con tarjeta una fianza de {amount}, que se devuelve en siete días.",
        resort_fee="La tasa de complejo por la piscina y el gimnasio está incluida en el precio.",
        information="Los huéspedes muestran un documento de identidad en la recepción.",
        rules={
            "children": ("Niños", "Se admiten niños de cualquier edad."),
            "pets": ("Mascotas", "Se admiten mascotas previa petición. Puede haber un suplemento."),
            "internet": ("Internet", "El wifi es gratuito en todas las habitaciones."),
            "parking": ("Aparcamiento", "Hay un aparcamiento público cerca."),
        },
        pictures=_named(
            "front: {} desde la calle | room: Una habitación | lobby: El vestíbulo | pool: La piscina | bathroom: El baño"
        ),
        facilities=_named(
            "wifi: Wifi | reception_24h: Recepción 24 horas | parking: Aparcamiento | luggage_storage: Guardaequipaje | "
            "pets_allowed: Admite mascotas | bar: Bar | breakfast_buffet: Desayuno bufé | air_conditioning: Aire acondicionado | "
            "bicycle_rental: Alquiler de bicicletas | restaurant: Restaurante | gym: Gimnasio | "
            "room_service: Servicio de habitaciones | airport_shuttle: Traslado al aeropuerto | "
            "meeting_rooms: Salas de reuniones | spa: Spa | indoor_pool: Piscina cubierta | concierge: Conserjería | "
            "valet_parking: Aparcacoches | butler: Mayordomo"
        ),
    ),
    "pt": Texts(
        kind="Hotel",
        classes={
            2: "uma casa simples e acolhedora",
            3: "um hotel confortável",
            4: "um hotel moderno",
            5: "um grande hotel",
        },
        description="{name} é {house} em {city}.",
        surroundings=(
            "Lojas e restaurantes ficam ao virar da esquina.",
            "A paragem de autocarro mais próxima fica a dois minutos.",
            "Chega-se a pé ao centro histórico.",
            "Do outro lado da rua há um parque.",
        ),
        renovated="O hotel foi renovado pela última vez em {month:02d}/{year}.",
        rooms=_named(
            "standard: Quarto duplo standard | superior: Quarto duplo superior | family: Quarto familiar standard"
        ),
        room="Sossegado e para não fumadores, com casa de banho própria.",
        views=("vista para a cidade", "vista para o pátio", "vista para o jardim", "vista para o parque"),
        double_bed="1 cama de casal",
        single_beds="2 camas de solteiro",
        room_amenities=("Secador de cabelo", "Televisão", "Cofre", "Secretária"),
        keys="A entrada está trancada a partir das 23:00. O código é enviado no dia da chegada.",
        deposit="À chegada é cobrada por cartão uma caução de {amount}, devolvida em sete dias.",
        resort_fee="A taxa de resort para a piscina e o ginásio está incluída no preço.",
        information="Os hóspedes mostram um documento de identidade na receção.",
        rules={
            "children": ("Crianças", "São bem-vindas crianças de qualquer idade."),
            "pets": ("Animais", "São aceites animais a pedido. Pode haver um suplemento."),
            "internet": ("Internet", "O Wi-Fi é gratuito em todos os quartos."),
            "parking": ("Estacionamento", "Há estacionamento público nas proximidades."),
        },
        pictures=_named(
            "front: {} visto da rua | room: Um quarto | lobby: O átrio | pool: A piscina | bathroom: A casa de banho"
        ),
        facilities=_named(
            "wifi: Wi-Fi | reception_24h: Receção 24 horas | parking: Estacionamento | luggage_storage: Depósito de bagagem | "
            "pets_allowed: Aceita animais | bar: Bar | breakfast_buffet: Pequeno-almoço buffet | "
            "air_conditioning: Ar condicionado | bicycle_rental: Aluguer de bicicletas | restaurant: Restaurante | "
            "gym: Ginásio | room_service: Serviço de quartos | airport_shuttle: Transfer do aeroporto | "
            "meeting_rooms: Salas de reuniões | spa: Spa | indoor_pool: Piscina interior | concierge: Concierge | "
            "valet_parking: Serviço de manobrista | butler: Mordomo"
        ),
    ),
    "it": Texts(
        kind="Hotel",
        classes={
            2: "una casa semplice e accogliente",
            3: "un hotel confortevole",
            4: "un hotel moderno",
            5: "un grand hotel",
        },
        description="{name} è {house} a {city}.",
        surroundings=(
            "Negozi e ristoranti sono dietro l'angolo.",
            "La fermata dell'autobus più vicina è a due minuti.",
            "Il centro storico si raggiunge a piedi.",
            "Di fronte c'è un parco.",
        ),
        renovated="L'hotel è stato rinnovato l'ultima volta nel {month:02d}/{year}.",
        rooms=_named(
            "standard: Camera doppia standard | superior: Camera doppia superior | family: Camera familiare standard"
        ),
        room="Tranquilla e non fumatori, con bagno privato.",
        views=("vista sulla città", "vista sul cortile", "vista sul giardino", "vista sul parco"),
        double_bed="1 letto matrimoniale",
        single_beds="2 letti singoli",
        room_amenities=("Asciugacapelli", "Televisore", "Cassaforte", "Scrivania"),
        keys="L'ingresso è chiuso a chiave dalle 23:00. Il codice viene inviato il giorno dell'arrivo.",
        deposit="All'arrivo si addebita su carta una cauzione di {amount}, restituita entro sette giorni.",
        resort_fee="La resort fee per piscina e palestra è compresa nel prezzo.",
        information="Gli ospiti mostrano un documento d'identità alla reception.",
        rules={
            "children": ("Bambini", "Sono benvenuti bambini di ogni età."),
            "pets": ("Animali", "Gli animali sono ammessi su richiesta. Può essere previsto un supplemento."),
            "internet": ("Internet", "Il Wi-Fi è gratuito in tutte le camere."),
            "parking": ("Parcheggio", "Nelle vicinanze c'è un parcheggio pubblico."),
        },
        pictures=_named(
            "front: {} dalla strada | room: Una camera | lobby: La hall | pool: La piscina | bathroom: Il bagno"
        ),
        facilities=_named(
            "wifi: Wi-Fi | reception_24h: Reception 24 ore | parking: Parcheggio | luggage_storage: Deposito bagagli | "
            "pets_allowed: Animali ammessi | bar: Bar | breakfast_buffet: Colazione a buffet | "
            "air_conditioning: Aria condizionata | bicycle_rental: Noleggio biciclette | restaurant: Ristorante | "
            "gym: Palestra | room_service: Servizio in camera | airport_shuttle: Navetta aeroportuale | "
            "meeting_rooms: Sale riunioni | spa: Spa | indoor_pool: Piscina coperta | concierge: Portineria | "
            "valet_parking: Parcheggio con servizio | butler: Maggiordomo"
        ),
    ),
}
