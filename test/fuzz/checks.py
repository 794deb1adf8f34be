import re

import schemathesis

# Rules that a schema cannot express, for example an invalid cursor or the 30th of February.
BEYOND_SCHEMAS = {"value_error", "datetime_parsing"}


def is_beyond_schemas(problem):
    # Schemathesis sends If-Match without its quotation marks.
    return problem["type"] in BEYOND_SCHEMAS or problem["loc"] == ["header", "if-match"]


@schemathesis.check
def fits_means_no_validation_list(ctx, response, case):
    """A request that matches the document may break a rule, but must not be rejected as not matching the schema."""
    if case.meta is None or not case.meta.generation.mode.is_positive or response.status_code != 422:
        return
    detail = response.json()["detail"]
    problems = detail if isinstance(detail, list) else []
    unexpected = [problem for problem in problems if not is_beyond_schemas(problem)]
    assert not unexpected, f"The document allows a request that the server rejects: {unexpected}"


@schemathesis.hook
def before_call(ctx, case, kwargs):
    """Sends webhooks only to a closed port of this machine, and does not wait for events."""
    if isinstance(case.body, dict) and isinstance(case.body.get("url"), str):
        case.body["url"] = "http://127.0.0.1:9/"
    if case.operation.path == "/updates" and re.fullmatch(r"\d+(\.0+)?", str(case.query.get("timeout", 0))):
        case.query["timeout"] = 0


@schemathesis.hook
def filter_query(ctx, query):
    """A head of more than 16 KB is rejected before routing, which test/conformance/raw.test.ts covers."""
    return len(str(query)) < 1_000


@schemathesis.hook
def filter_case(ctx, case):
    """All values of a form are text, so a number is a valid file name."""
    is_form = case.operation.path == "/media/upload" and isinstance(case.body, dict)
    return not is_form or isinstance(case.body.get("filename", ""), str)
