"""Calls a running server ten times with the client that openapi-python-client generated: python calls.py ADDRESS KEY"""

import hashlib
import hmac
import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from io import BytesIO
from queue import Queue
from threading import Thread
from typing import TypeVar

from deskbell_client import AuthenticatedClient
from deskbell_client.api.contacts import create_contact
from deskbell_client.api.events import list_updates
from deskbell_client.api.files import get_media, upload_media
from deskbell_client.api.messages import create_ticket_message
from deskbell_client.api.tickets import create_ticket, get_ticket, list_tickets
from deskbell_client.api.webhooks import create_webhook, test_webhook
from deskbell_client.models import (
    ApiError,
    ApiValidationError,
    CreatedContact,
    CustomFields,
    ErrorCode,
    EventType,
    Media,
    MediaKind,
    Message,
    MessageCreatedUpdate,
    NewContact,
    NewMessage,
    NewTicket,
    NewTicketContact,
    NewWebhook,
    RegisteredWebhook,
    SenderType,
    TestRequest,
    TestResult,
    Ticket,
    TicketClosedEvent,
    TicketCreatedUpdate,
    TicketList,
    TicketStatus,
    UpdateList,
    Upload,
)
from deskbell_client.types import File

T = TypeVar("T")


def expect(kind: type[T], found: object) -> T:
    assert isinstance(found, kind), f"{kind.__name__} was expected, found {found!r}"
    return found


class Receiver(BaseHTTPRequestHandler):
    """Receives webhook deliveries."""

    deliveries: Queue[tuple[bytes, str]] = Queue()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.deliveries.put((body, self.headers["X-Webhook-Signature"]))
        self.send_response(200)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


def receive() -> str:
    server = HTTPServer(("127.0.0.1", 0), Receiver)
    Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/hook"


def make_contact(client: AuthenticatedClient) -> None:
    fields = CustomFields()
    fields["seats"] = [1, "two", True]
    body = NewContact(email="ann@example.com", telegram_id=12345678, custom_fields=fields)
    contact = expect(CreatedContact, create_contact.sync(client=client, body=body))
    assert contact.telegram_id == 12345678
    assert contact.custom_fields["seats"] == [1, "two", True]


def make_ticket(client: AuthenticatedClient) -> Ticket:
    body = NewTicket(contact=NewTicketContact(email="ann@example.com"), content="My card is refused.")
    ticket = expect(Ticket, create_ticket.sync(client=client, body=body))
    assert ticket.status is TicketStatus.NEW
    assert ticket.contact.email == "ann@example.com"
    assert ticket.operator is None
    return ticket


def find_ticket(client: AuthenticatedClient, ticket: Ticket) -> None:
    found = expect(TicketList, list_tickets.sync(client=client, status=[TicketStatus.NEW], tag=[]))
    assert ticket.id in [item.id for item in found.items]


def upload(client: AuthenticatedClient) -> Media:
    file = File(payload=BytesIO(b"Hello"), file_name="hello.txt", mime_type="text/plain")
    media = expect(Media, upload_media.sync(client=client, body=Upload(file=file)))
    assert media.kind is MediaKind.FILE
    return media


def download(client: AuthenticatedClient, media: Media) -> None:
    file = expect(File, get_media.sync(str(media.id), client=client))
    assert file.payload.read() == b"Hello"


def post(client: AuthenticatedClient, ticket: Ticket, media: Media) -> Message:
    body = NewMessage(content="We are looking into it", media_ids=[str(media.id)])
    message = expect(Message, create_ticket_message.sync(str(ticket.id), client=client, body=body))
    assert message.sender_type is SenderType.BOT
    assert message.delivery.error is None
    return message


def follow(client: AuthenticatedClient, ticket: Ticket, message: Message) -> None:
    events = [EventType.TICKET_CREATED, EventType.MESSAGE_CREATED]
    updates = expect(UpdateList, list_updates.sync(client=client, after=0, timeout=0, events=events))
    created = [item for item in updates.items if isinstance(item, TicketCreatedUpdate)]
    assert ticket.id in [item.data.ticket_id for item in created]
    written = [item for item in updates.items if isinstance(item, MessageCreatedUpdate)]
    assert message.id in [item.data.message_id for item in written]
    assert len(created) + len(written) == len(updates.items)


def subscribe(client: AuthenticatedClient, url: str) -> RegisteredWebhook:
    body = NewWebhook(url=url, events=[EventType.TICKET_CLOSED])
    return expect(RegisteredWebhook, create_webhook.sync(client=client, body=body))


def be_delivered(client: AuthenticatedClient, webhook: RegisteredWebhook) -> None:
    request = TestRequest(event=EventType.TICKET_CLOSED)
    result = expect(TestResult, test_webhook.sync(str(webhook.id), client=client, body=request))
    assert result.delivered
    body, signature = Receiver.deliveries.get(timeout=10)
    assert signature == "sha256=" + hmac.new(webhook.secret.encode(), body, hashlib.sha256).hexdigest()
    event = TicketClosedEvent.from_dict(json.loads(body))
    assert event.data.resolution_secs > 0


def fail(client: AuthenticatedClient) -> None:
    error = expect(ApiError, get_ticket.sync("0", client=client))
    assert error.error_code is ErrorCode.TICKET_NOT_FOUND
    invalid = expect(ApiValidationError, list_tickets.sync(client=client, page_size=101))
    assert invalid.detail[0].loc == ["query", "page_size"]


def main(address: str, key: str) -> None:
    client = AuthenticatedClient(base_url=f"{address}/api/v1", token=key)
    make_contact(client)
    ticket = make_ticket(client)
    find_ticket(client, ticket)
    media = upload(client)
    download(client, media)
    message = post(client, ticket, media)
    follow(client, ticket, message)
    webhook = subscribe(client, receive())
    be_delivered(client, webhook)
    fail(client)


main(*sys.argv[1:3])
