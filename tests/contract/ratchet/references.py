"""Changes of where a document tells a thing, and of nothing that it says: names of components, references."""

import copy
import json
from random import Random

from tests.contract.ratchet.places import Node, answers, followed, operations


def component_renamed(document: Node, random: Random) -> bool:
    name = random.choice(sorted(document["components"]["schemas"]))
    text = json.dumps(document).replace(
        f'"#/components/schemas/{name}"', f'"#/components/schemas/{name}Renamed"'
    )
    document.clear()
    document.update(json.loads(text))
    document["components"]["schemas"][f"{name}Renamed"] = document["components"]["schemas"].pop(name)
    return True


def component_in_place(document: Node, random: Random) -> bool:
    """A reference becomes what it names."""
    content = [
        media
        for item, method, _ in operations(document)
        for _, answer in answers(item[method], document)
        for media in answer.get("content", {}).values()
        if "$ref" in media.get("schema", {})
    ]
    if content:
        media = random.choice(content)
        name = media["schema"]["$ref"].rsplit("/", 1)[1]
        media["schema"] = copy.deepcopy(document["components"]["schemas"][name])
    return bool(content)


def told_once(document: Node, random: Random) -> bool:
    """An answer, its headers and the operation's parameters become references to what is told elsewhere."""
    item, method, _ = random.choice(list(operations(document)))
    operation, components = item[method], document["components"]
    status = random.choice(sorted(operation["responses"]))
    answer = copy.deepcopy(followed(operation["responses"][status], document))
    new = f"new{random.random()}".replace(".", "")
    for name, header in answer.get("headers", {}).items():
        components.setdefault("headers", {})[f"{new}{name}"] = header
        answer["headers"][name] = {"$ref": f"#/components/headers/{new}{name}"}
    components.setdefault("responses", {})[new] = answer
    operation["responses"][status] = {"$ref": f"#/components/responses/{new}", "description": "beside it"}
    for number, parameter in enumerate(operation.get("parameters", [])):
        components.setdefault("parameters", {})[f"{new}{number}"] = parameter
        operation["parameters"][number] = {"$ref": f"#/components/parameters/{new}{number}"}
    return True
