import json
import re
from html import unescape

import pytest

from apps.portal.json_html import json_view, text_view


def text_of(html: str) -> str:
    return unescape(re.sub("<[^>]+>", "", html))


@pytest.mark.parametrize(
    "value",
    [
        {"a": 1, "b": {"c": [1, 2.5, None, True], "d": {}}, "e": []},
        [],
        "plain",
        None,
        {"<script>": "</details>\"&'", "é": "\u2028\n"},
        [[{"deep": [[1]]}]],
    ],
)
def test_the_text_of_the_view_is_the_json(value):
    html = json_view(value)
    assert json.loads(text_of(html)) == value
    assert text_of(html).strip() == json.dumps(value, indent=2, ensure_ascii=False)


def test_what_was_sent_is_no_markup():
    html = json_view({"<img src=x>": "<script>alert(1)</script>", 'a"b': '" onclick="x'})
    assert set(re.findall(r"<(\w+)", html)) == {"details", "summary", "span"}
    assert "onclick=&quot;" not in re.sub(r">[^<]*<", "><", html)


def test_values_have_the_colour_of_their_kind():
    html = json_view({"a": "x", "b": 2, "c": None})
    assert re.findall(r'class="json-(\w+)"', html) == ["name", "text", "name", "number", "name", "word"]


def test_every_object_and_list_folds_and_a_long_one_begins_with_its_inside_folded():
    short, long = {"a": {"b": {"c": 1}}}, {"a": {"b": {str(each): [1] for each in range(60)}}}
    assert json_view(short).count("<details open>") == 3
    html = json_view(long)
    assert (html.count("<details open>"), html.count("<details>")) == (2, 61)
    assert 'data-end="},"' not in json_view(short)
    assert '<span data-end="},"></span>' in json_view({"a": {"b": 1}, "c": 2})


def test_a_text_that_is_no_json_is_shown_as_it_is():
    assert text_view("{broken <b>") == "{broken &lt;b&gt;"
    assert json.loads(text_of(text_view('{"a": 1}'))) == {"a": 1}
    assert text_view("[" * 100_000).startswith("[[[")


def test_nothing_is_too_deep():
    value: object = 1
    for _ in range(300):
        value = [value]
    assert json.loads(text_of(json_view(value))) == value
