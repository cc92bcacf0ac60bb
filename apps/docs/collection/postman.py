"""The journey as a Postman collection (format 2.1), and the environment that says where and with which key."""

import json
from functools import cache
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from django.conf import settings

from apps.docs.collection.shapes import shape_of
from apps.docs.collection.steps import FRESH, RECEIVER, REPEATED, Step, chapters, days
from apps.gateway.openapi import document

FORMAT = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"
NAME = "Travel Partner API"
TRIES = 60
WAITS = {"getWebhookDelivery": 'answer.status === "PENDING"'}
"""Asked again, by operation, as long as this holds: a delivery takes a moment, and what follows needs it finished."""


@cache
def collection() -> dict[str, Any]:
    folders = [
        {"name": name, "item": [item(step, begins=step is told[0]) for step in told]}
        for name, told in chapters()
    ]
    return {
        "info": {"name": NAME, "description": document()["info"]["description"], "schema": FORMAT},
        "auth": {"type": "bearer", "bearer": [{"key": "token", "value": "{{apiKey}}", "type": "string"}]},
        "event": [script("prerequest", days_ahead())],
        "item": folders,
    }


@cache
def environment() -> dict[str, Any]:
    return {
        "name": NAME,
        "values": [
            {"key": "baseUrl", "value": settings.PUBLIC_BASE_URL, "type": "default", "enabled": True},
            {"key": "apiKey", "value": "", "type": "secret", "enabled": True},
            {"key": "webhookUrl", "value": RECEIVER, "type": "default", "enabled": True},
        ],
        "_postman_variable_scope": "environment",
    }


NEW_RUN = ['pm.collectionVariables.set("run", Math.random().toString(36).slice(2, 10));']
"""Your own references are used once. They begin anew with each folder."""
NEW_KEY = [f'pm.collectionVariables.set("{REPEATED}", pm.variables.replaceIn("{FRESH}"));']
"""The key of a request that is sent twice."""


def days_ahead() -> list[str]:
    return [
        "const ahead = (days) => new Date(Date.now() + days * 86400000).toISOString().slice(0, 10);",
        *(f'pm.collectionVariables.set("day{ahead}", ahead({ahead}));' for ahead in days()),
    ]


def item(step: Step, *, begins: bool) -> dict[str, Any]:
    asked = request(step)
    lines = [*(NEW_RUN if begins else []), *(NEW_KEY if step.begins_key else [])]
    before = [script("prerequest", lines)] if lines else []
    return {
        "name": step.name,
        "event": [*before, script("test", checks(step))],
        "request": asked,
        "response": [response(step, asked)],
    }


def request(step: Step) -> dict[str, Any]:
    told = step.example.request
    url: dict[str, Any] = {
        "raw": "{{baseUrl}}" + step.path + (f"?{urlencode(step.query, safe='{}')}" if step.query else ""),
        "host": ["{{baseUrl}}"],
        "path": step.path.strip("/").split("/"),
    }
    if step.query:
        url["query"] = [{"key": name, "value": value} for name, value in step.query.items()]
    operation = document()["paths"][told.path][told.method.lower()]
    asked = {
        "method": told.method,
        "url": url,
        "description": operation.get("description", operation["summary"]),
    }
    if step.body is None:
        return {**asked, "header": pairs(step.headers)}
    body = {"mode": "raw", "raw": step.body, "options": {"raw": {"language": "json"}}}
    return {**asked, "header": pairs({"Content-Type": "application/json", **step.headers}), "body": body}


def response(step: Step, asked: dict[str, Any]) -> dict[str, Any]:
    """The recorded answer, which Postman shows as an example."""
    answer = step.example.answer
    return {
        "name": step.example.summary,
        "originalRequest": asked,
        "code": answer.status,
        "status": HTTPStatus(answer.status).phrase,
        "_postman_previewlanguage": "json",
        "header": pairs(answer.headers),
        "body": "" if answer.body is None else json.dumps(answer.body, indent=2, ensure_ascii=False),
    }


def checks(step: Step) -> list[str]:
    """That it answers as its example does; then what later requests need of it."""
    answer = step.example.answer
    lines = [f'pm.test("answers {answer.status}", () => pm.response.to.have.status({answer.status}));']
    if step.is_replay:
        lines.append(
            'pm.test("is a replay", () => pm.response.to.have.header("Idempotent-Replayed", "true"));'
        )
    if answer.body is None:
        return lines
    shape = json.dumps(shape_of(answer.body))
    lines += [
        f'pm.test("has what its example has", () => pm.response.to.have.jsonSchema({shape}));',
        "const answer = pm.response.json();",
        *(f'pm.collectionVariables.set("{keep.variable}", {keep.expression});' for keep in step.keeps),
    ]
    if waiting := WAITS.get(step.example.operation_id):
        lines += [
            'const tries = Number(pm.variables.get("tries")) || 0;',
            f"if ({waiting} && tries < {TRIES}) {{",
            '  pm.variables.set("tries", tries + 1);',
            "  setTimeout(() => {}, 500);",
            "  pm.execution.setNextRequest(pm.info.requestName);",
            "}",
        ]
    return lines


def script(listen: str, lines: list[str]) -> dict[str, Any]:
    return {"listen": listen, "script": {"type": "text/javascript", "exec": lines}}


def pairs(headers: Any) -> list[dict[str, str]]:
    return [{"key": name, "value": value} for name, value in headers.items()]
