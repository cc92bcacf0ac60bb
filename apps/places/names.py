"""How a place is found by what people type: folding of names, and the keys under which they are indexed and sought.

PostgreSQL compares whole keys only, under one GIN index, and needs no extension. A key begins with a sign for its kind:

- `=` a whole name, without spaces;
- `<` its first 1 to 5 letters, for callers that search while their user types. Fewer than 4 only of well-known places: a list
  of all that begin with `s` would be long, and of no use;
- `~` its first six letters, whole and without each one of them. A query is taken apart in the same way, and one typing mistake
  (a letter too many, missing or wrong, two swapped) leaves a key in common: SymSpell's symmetric deletion;
- `:` a word of where it lies, sought only together with words of its name.

Those of hotels begin with their environment's letter, so that the lists of the others do not grow with the number of hotels.
"""

from collections.abc import Iterable, Iterator

from apps.common import folding

TYPO_LETTERS = 6
FEWEST_LETTERS_OF_A_TYPO = 4
LONGEST_NAME = 48
BEGINNINGS = {1: 9000, 2: 8000, 3: 6000, 4: 0, 5: 0}
"""How well known a place must be to be found by its first so many letters."""
WELL_KNOWN = 7_000
IDEOGRAPHS_FROM = "\u2e80"  # one is a word already

SHORT_FORMS = {"st": "saint", "ste": "sainte", "ft": "fort", "mt": "mount", "intl": "international"}
_AIRPORTS = (
    "airport airports international airfield aerodrome aeroport aeroporto aeropuerto flughafen lufthavn"
)
_HOTELS = (
    "hotel hotels inn suites suite resort resorts spa apartments apartment hostel motel lodge guesthouse"
)
_LITTLE = "a the and of by at le la les el de del di da do dos du des city"
OF_AIRPORTS = frozenset(_AIRPORTS.split())
OF_HOTELS = frozenset(_HOTELS.split())
STOP_WORDS = OF_AIRPORTS | OF_HOTELS | frozenset(_LITTLE.split())
"""Words that say little: a place is found without them, and not by them alone unless it has no others."""


def fold(name: str) -> str:
    """`name` without case, accents and punctuation, its words in their long forms."""
    return " ".join([SHORT_FORMS.get(word, word) for word in folding.fold(name).split()])


def core(words: list[str]) -> list[str]:
    """The words that say something; all of them where none does."""
    return [word for word in words if word not in STOP_WORDS] or words


def squash(words: Iterable[str]) -> str:
    return "".join(words)[:LONGEST_NAME]


def deletions(term: str) -> Iterator[str]:
    """The first letters of `term`, whole and without each one of them."""
    begin = term[:TYPO_LETTERS]
    yield begin
    if len(begin) >= FEWEST_LETTERS_OF_A_TYPO:
        for index in range(len(begin)):
            yield begin[:index] + begin[index + 1 :]


def typo_keys(term: str, sign: str = "~") -> Iterator[str]:
    return (sign + part for part in deletions(term))


def beginning_keys(term: str, rank: int) -> Iterator[str]:
    for letters, least in BEGINNINGS.items():
        if letters < len(term) and (rank >= least or term[0] >= IDEOGRAPHS_FROM):
            yield "<" + term[:letters]


def keys_of(
    name: str,
    others: Iterable[str] = (),
    *,
    rank: int,
    spelled: Iterable[str] = (),
    around: Iterable[str] = (),
) -> set[str]:
    """The keys of a place with this folded name and `others`. It is found by single words of `name` as well, by `spelled` where
    they are typed whole and without a mistake, and by the words of `around`, where it lies, together with its own. Of a place
    that is not well known the `others` have to be spelled, too.
    """
    others = set().union(*map(_wholes, others))
    terms = _wholes(name)
    keys = {"=" + whole for whole in terms | others}
    keys.update("=" + whole for each in spelled for whole in _wholes(each))
    terms.update(_words(name))
    if rank >= WELL_KNOWN:
        terms |= others
    for term in terms:
        keys.update(typo_keys(term))
        keys.update(beginning_keys(term, rank))
    for each in around:
        for word in core(each.split()):
            keys.update(typo_keys(word, ":"))
    return keys


def hotel_keys_of(name: str, *, city: str, country: str, environment: str, cell: str) -> set[str]:
    """Those of a hotel by its folded name: its words are not found by their beginnings, for there are too many of them."""
    wholes = _wholes(name)
    keys = {"=" + whole for whole in wholes}
    for whole in wholes:
        keys.update("<" + whole[:letters] for letters in (4, 5) if letters < len(whole))
    for term in wholes.union(_words(name)):
        keys.update(typo_keys(term))
    for word in core(city.split()):
        keys.update(typo_keys(word, ":"))
    letter = environment[0]
    return {letter + key for key in keys} | {country_key(environment, country), cell_key(environment, cell)}


def country_key(environment: str, country: str) -> str:
    return f"{environment[0]}@{country.lower()}"


def cell_key(environment: str, cell: str) -> str:
    return f"{environment[0]}#{cell}"


def _wholes(name: str) -> set[str]:
    words = name.split()
    return {squash(words), squash(core(words))}


def _words(name: str) -> list[str]:
    telling = core(name.split())
    return telling if len(telling) > 1 else []
