#!/usr/bin/env python3
"""Answers contacts who ask about an order. Python 3.10 or newer, nothing to install."""

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
# The server is busy, restarting or behind a proxy that cannot reach it: the same request may succeed later.
TEMPORARY = {408, 429, 500, 502, 503, 504}


class ApiError(Exception):
    """The server refused a request; sending it again would change nothing."""

    def __init__(self, status: int, body: dict):
        super().__init__(f"{status} {json.dumps(body)}")
        self.status = status
        detail = body.get("detail")
        self.detail = detail if isinstance(detail, dict) else {}


def call(method: str, path: str, body: dict | None = None, **headers: str) -> dict:
    """Sends a request until the server has answered it. Only for requests that may be sent twice."""
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
            print(f"{error.code} for {method} {path}; trying again in {pause} s", file=sys.stderr)
        except (OSError, HTTPException, ValueError) as error:
            print(f"{error}; trying again in {pause} s", file=sys.stderr)
        time.sleep(pause)


def read_json(error: urllib.error.HTTPError) -> dict:
    try:
        return json.load(error)
    except ValueError:  # A proxy's page of HTML
        return {"detail": error.reason}


# What the bot knows. Ask your own shop here.


def find_order(number: str) -> dict | None:
    """{"email": whose order it is, "status": a sentence}, or None."""
    return json.loads(ORDERS.read_text()).get(number)


# What the bot does.


def answer(message: dict) -> None:
    """Answers a new message, if it names an order. Doing it again changes nothing."""
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
    """Strangers must not learn about an order: in the chat, anybody can type any address."""
    is_sure = ticket["contact_identity"] in (None, "proved")
    return is_sure and (ticket["contact"]["email"] or "").lower() == order["email"].lower()


def post(message: dict, kind: str, content: str, is_internal: bool) -> None:
    """The external_id makes it safe to repeat: a second message with the same one is never created."""
    body = {
        "content": content,
        "is_internal": is_internal,
        "sender_name": "Order bot",
        "reply_to_id": message["id"],
        "external_id": f"order-bot:{kind}:{message['id']}",
    }
    call("POST", f"/api/v1/tickets/{message['ticket_id']}/messages", body)


def add_tag(ticket_id: str, tag: str) -> None:
    """PATCH replaces all tags: If-Match makes sure that nobody else's new tag is lost."""
    while True:
        ticket = call("GET", f"/api/v1/tickets/{ticket_id}")
        if tag in ticket["tags"]:
            return
        try:
            version = f'"{ticket["version"]}"'
            call("PATCH", f"/api/v1/tickets/{ticket_id}", {"tags": [*ticket["tags"], tag]}, **{"If-Match": version})
            return
        except ApiError as error:
            if error.status != 412:  # 412: somebody has changed the ticket since we read it
                raise


# Following the log of events.


def read_updates(after: int | None, timeout: int = 50) -> dict:
    """Waits for new messages. Without `after` nothing is read, and `last_seq` says where the log ends now."""
    query = {"events": "message.created", "timeout": timeout}
    if after is not None:
        query["after"] = after
    return call("GET", f"/api/v1/updates?{urllib.parse.urlencode(query)}")


def load_cursor() -> int:
    """Where we stopped; on the first start, the end of the log: old questions stay unanswered."""
    if CURSOR.exists():
        return int(CURSOR.read_text())
    return save_cursor(read_updates(None, timeout=0)["last_seq"])


def save_cursor(seq: int) -> int:
    """Replaces the file as a whole, so that a crash leaves the old number or the new one."""
    draft = CURSOR.with_suffix(".new")
    draft.write_text(str(seq))
    os.replace(draft, CURSOR)
    return seq


def answer_safely(message: dict) -> None:
    """A question that cannot be answered, such as one in a ticket that is gone, must not stop the others."""
    try:
        answer(message)
    except ApiError as error:
        if error.status == 401:
            raise
        print(f"Message {message['id']} is left to people: {error}", file=sys.stderr)


def follow(cursor: int) -> int:
    """Answers what has arrived since, then moves the cursor: in this order, so that a crash skips nothing."""
    try:
        updates = read_updates(cursor)
    except ApiError as error:
        # The server was put back to an older state: its log ends before our cursor.
        if error.detail.get("reason") != "in_the_future":
            raise
        return save_cursor(error.detail["last_seq"])
    if updates["gap"]:
        print("We were away for so long that some messages are no longer in the log", file=sys.stderr)
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
