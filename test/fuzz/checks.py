import re

import schemathesis

# What a schema cannot say: a cursor that is none, the 30th of February.
BEYOND_SCHEMAS = {"value_error", "datetime_parsing"}


def is_beyond_schemas(problem):
    # Schemathesis sends the quotes of If-Match without the quotes.
    return problem["type"] in BEYOND_SCHEMAS or problem["loc"] == ["header", "if-match"]


@schemathesis.check
def fits_means_no_validation_list(ctx, response, case):
    """A request made by the document is refused by rules, never because it does not fit the schema."""
    if case.meta is None or not case.meta.generation.mode.is_positive or response.status_code != 422:
        return
    detail = response.json()["detail"]
    problems = detail if isinstance(detail, list) else []
    unexpected = [problem for problem in problems if not is_beyond_schemas(problem)]
    assert not unexpected, f"The document allows what the server refuses: {unexpected}"


@schemathesis.hook
def before_call(ctx, case, kwargs):
    """Nothing is sent to strangers: a webhook is tested on a port of this machine that refuses. Nobody waits for events."""
    if isinstance(case.body, dict) and isinstance(case.body.get("url"), str):
        case.body["url"] = "http://127.0.0.1:9/"
    if case.operation.path == "/updates" and re.fullmatch(r"\d+(\.0+)?", str(case.query.get("timeout", 0))):
        case.query["timeout"] = 0


@schemathesis.hook
def filter_query(ctx, query):
    """A head of more than 16 KB is refused before any operation is known: test/conformance/raw.test.ts holds that."""
    return len(str(query)) < 1_000


@schemathesis.hook
def filter_case(ctx, case):
    """In a form all values are text: a number as the name of a file is one that fits."""
    is_form = case.operation.path == "/media/upload" and isinstance(case.body, dict)
    return not is_form or isinstance(case.body.get("filename", ""), str)
