"""A plain check of JSON against the part of JSON Schema that /openapi.json uses; python-jsonschema checks the same in
the slow tests (tests/http/openapi.py). A keyword that is not known here is a problem."""

import re

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
SAID = {"description", "title", "default", "format", "$schema"}


def is_type(value, name):
    if name in ("number", "integer"):
        return (
            isinstance(value, (int, float))
            and not isinstance(value, bool)
            and (name == "number" or value == int(value))
        )
    return isinstance(value, TYPES[name])


def several(document, schema, value, key):
    fits = sum(not problems(document, one, value) for one in schema[key])
    return fits == 1 if key == "oneOf" else fits > 0


def inside(document, schema, value, at):
    """Problems of what an object or list holds."""
    found = []
    if isinstance(value, dict):
        known = schema.get("properties", {})
        found += [f"{at} lacks {key}" for key in schema.get("required", []) if key not in value]
        for key, item in value.items():
            more = known.get(key, schema.get("additionalProperties", True))
            if more is False:
                found.append(f"{at} has {key}")
            elif more is not True:
                found += problems(document, more, item, f"{at}.{key}")
    if isinstance(value, list):
        for i, item in enumerate(value):
            found += problems(document, schema.get("items", {}), item, f"{at}[{i}]")
    return found


def simple(schema, value):
    """Whether the value meets each keyword about itself."""
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    text, items = isinstance(value, str), isinstance(value, list)
    yield "type", lambda t: any(is_type(value, one) for one in ([t] if isinstance(t, str) else t))
    yield "enum", lambda words: value in words
    yield "const", lambda word: value == word
    yield "pattern", lambda p: not text or re.search(p, value)
    yield "minLength", lambda n: not text or len(value) >= n
    yield "maxLength", lambda n: not text or len(value) <= n
    yield "minProperties", lambda n: not isinstance(value, dict) or len(value) >= n
    yield "minimum", lambda n: not number or value >= n
    yield "maximum", lambda n: not number or value <= n
    yield "exclusiveMinimum", lambda n: not number or value > n
    yield "minItems", lambda n: not items or len(value) >= n
    yield "uniqueItems", lambda yes: not items or len({str(item) for item in value}) == len(value)
    yield "maxItems", lambda n: not items or len(value) <= n


def problems(document, schema, value, at="answer"):
    """What is wrong with the value, as sentences; empty if nothing is."""
    found = []
    if "$ref" in schema:
        found += problems(document, document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]], value, at)
    checks = dict(simple(schema, value))
    for key, wanted in schema.items():
        if key in checks:
            found += [] if checks[key](wanted) else [f"{at} is {str(value)[:60]!r}, {key} is {wanted}"]
        elif key in ("oneOf", "anyOf"):
            found += [] if several(document, schema, value, key) else [f"{at} fits not {key} of {str(wanted)[:200]}"]
        elif key not in ("$ref", "properties", "required", "additionalProperties", "items") and key not in SAID:
            found.append(f"the keyword {key} is not known to this check")
    return found + inside(document, schema, value, at)
