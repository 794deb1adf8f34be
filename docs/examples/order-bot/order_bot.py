#!/usr/bin/env python3
"""Replies to contacts who ask about an order. Requires Python 3.10 or later and no packages."""

import itertools
import json
import os
import re
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from http.client import HTTPException
from pathlib import Path

SERVER = os.environ.get("DESKBELL_URL", "http://localhost:3000")
KEY = os.environ.get("DESKBELL_API_KEY", "")
CURSOR = Path(os.environ.get("CURSOR_FILE", "order-bot.cursor"))
ORDERS = Path(os.environ.get("ORDERS_FILE", "orders.json"))

ORDER_NUMBER = re.compile(r"\b[A-Z]-\d{1,9}\b")
UNKNOWN_TAG = "unknown-order"
# The server is busy, restarting, or unreachable for its proxy: the same request may succeed later.
TEMPORARY = {408, 429, 500, 502, 503, 504}


class ApiError(Exception):
    """The server refused a request, and a retry would not help."""

    def __init__(self, status: int, body: dict):
        super().__init__(f"{status} {json.dumps(body)}")
        self.status = status
        detail = body.get("detail")
        self.detail = detail if isinstance(detail, dict) else {}


def call(method: str, path: str, body: dict | None = None, **headers: str) -> dict:
    """Retries a request until the server responds. Use it only for requests that are safe to repeat."""
    request = urllib.request.Request(
        SERVER + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {KEY}", "Content-Type": "application/json", **headers},
    )
    for attempt in itertools.count():
        pause = min(2**attempt, 60)
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            if error.code not in TEMPORARY:
                raise ApiError(error.code, read_json(error)) from None
            seconds = error.headers.get("Retry-After", "")
            pause = int(seconds) if seconds.isdigit() else pause
            print(f"{error.code} for {method} {path}; retrying in {pause} s", file=sys.stderr)
        except (OSError, HTTPException, ValueError) as error:
            print(f"{error}; retrying in {pause} s", file=sys.stderr)
        time.sleep(pause)


def read_json(error: urllib.error.HTTPError) -> dict:
    try:
        return json.load(error)
    except ValueError:  # an HTML page from a proxy
        return {"detail": error.reason}


# The orders. Query your own shop here.


def find_order(number: str) -> dict | None:
    """Returns {"email": the customer's address, "status": a sentence}, or None."""
    return json.loads(ORDERS.read_text()).get(number)


# The replies.


def answer(message: dict) -> None:
    """Replies to a new message if it contains an order number. Safe to repeat."""
    numbers = list(dict.fromkeys(ORDER_NUMBER.findall(message["content"])))
    if message["sender_type"] != "contact" or not numbers:
        return
    ticket = call("GET", f"/api/v1/tickets/{message['ticket_id']}")
    orders = {number: find_order(number) for number in numbers}
    known = {number: order for number, order in orders.items() if order and owns(ticket, order)}
    if known:
        lines = [f"{number}: {order['status']}" for number, order in known.items()]
        post(message, "reply", "\n".join(lines), is_internal=False)
    if unknown := [number for number in numbers if number not in known]:
        post(message, "note", f"No order of this contact: {', '.join(unknown)}", is_internal=True)
        add_tag(message["ticket_id"], UNKNOWN_TAG)


def owns(ticket: dict, order: dict) -> bool:
    """In the chat, anyone can type any email address, so strangers must not learn about an order."""
    is_sure = ticket["contact_identity"] in (None, "proved")
    return is_sure and (ticket["contact"]["email"] or "").lower() == order["email"].lower()


def post(message: dict, kind: str, content: str, is_internal: bool) -> None:
    """Safe to repeat: a second message with the same external_id is never created."""
    body = {
        "content": content,
        "is_internal": is_internal,
        "sender_name": "Order bot",
        "reply_to_id": message["id"],
        "external_id": f"order-bot:{kind}:{message['id']}",
    }
    call("POST", f"/api/v1/tickets/{message['ticket_id']}/messages", body)


def add_tag(ticket_id: str, tag: str) -> None:
    """PATCH replaces all tags, so If-Match makes sure that no one else's new tag is lost."""
    while True:
        ticket = call("GET", f"/api/v1/tickets/{ticket_id}")
        if tag in ticket["tags"]:
            return
        try:
            version = f'"{ticket["version"]}"'
            call("PATCH", f"/api/v1/tickets/{ticket_id}", {"tags": [*ticket["tags"], tag]}, **{"If-Match": version})
            return
        except ApiError as error:
            if error.status != 412:  # 412: the ticket has changed since we read it
                raise


# The event log.


def read_updates(after: int | None, timeout: int = 50) -> dict:
    """Waits for new messages. Without `after`, returns no events, only `last_seq`, the current end of the log."""
    query = {"events": "message.created", "timeout": timeout}
    if after is not None:
        query["after"] = after
    return call("GET", f"/api/v1/updates?{urllib.parse.urlencode(query)}")


def load_cursor() -> int:
    """Returns our last position. On the first start, this is the end of the log, so old questions get no reply."""
    if CURSOR.exists():
        return int(CURSOR.read_text())
    return save_cursor(read_updates(None, timeout=0)["last_seq"])


def save_cursor(seq: int) -> int:
    """Replaces the file atomically, so that after a crash it contains either the old or the new number."""
    draft = CURSOR.with_suffix(".new")
    draft.write_text(str(seq))
    os.replace(draft, CURSOR)
    return seq


def answer_safely(message: dict) -> None:
    """One question that fails, for example because its ticket was deleted, must not block the others."""
    try:
        answer(message)
    except ApiError as error:
        if error.status == 401:
            raise
        print(f"Leaving message {message['id']} to people: {error}", file=sys.stderr)


def follow(cursor: int) -> int:
    """Replies to new messages, then moves the cursor. In this order, a crash does not skip a message."""
    try:
        updates = read_updates(cursor)
    except ApiError as error:
        # The server was restored from an older backup: its log ends before our cursor.
        if error.detail.get("reason") != "in_the_future":
            raise
        return save_cursor(error.detail["last_seq"])
    if updates["gap"]:
        print("The bot was offline for too long: some messages are no longer in the log", file=sys.stderr)
    for event in updates["items"]:
        answer_safely(event["data"])
    return save_cursor(updates["last_seq"]) if updates["last_seq"] != cursor else cursor


def main() -> None:
    if not KEY:
        sys.exit("Set DESKBELL_API_KEY to a key of your project (Settings, API keys)")
    cursor = load_cursor()
    print(f"Waiting for questions after event {cursor}", flush=True)
    while True:
        cursor = follow(cursor)


if __name__ == "__main__":
    try:
        main()
    except ApiError as error:
        sys.exit(f"The server refused: {error}")
    except KeyboardInterrupt:
        pass
