// Calls a running server ten times with the client that oapi-codegen generated: calls ADDRESS KEY
package main

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"

	"deskbell.example/clients/deskbell"
	"github.com/oapi-codegen/runtime/types"
)

// A webhook delivery as received.
type delivery struct {
	body      []byte
	signature string
}

func expect(fits bool, words string, found any) {
	if !fits {
		panic(fmt.Sprintf("%s; found: %+v", words, found))
	}
}

func must[T any](found T, err error) T {
	if err != nil {
		panic(err)
	}
	return found
}

func pointer[T any](value T) *T { return &value }

type calls struct {
	context.Context
	*deskbell.ClientWithResponses
}

func (c calls) makeContact() {
	var telegram deskbell.TelegramId
	expect(telegram.FromTelegramId1("12345678") == nil, "a Telegram id may be a text", telegram)
	var seats deskbell.CustomFieldValue
	expect(seats.FromCustomFieldValue1(2) == nil, "a field may be a number", seats)
	answer := must(c.CreateContactWithResponse(c, nil, deskbell.NewContact{
		Email:        pointer(types.Email("ann@example.com")),
		TelegramId:   &telegram,
		CustomFields: &deskbell.CustomFields{"seats": &seats},
	}))
	contact := answer.JSON201
	expect(contact != nil && *contact.TelegramId == 12345678, "201 with the contact", string(answer.Body))
	expect(contact.CustomFields["seats"] == 2.0, "the custom field", contact.CustomFields)
}

func (c calls) makeTicket() *deskbell.Ticket {
	answer := must(c.CreateTicketWithResponse(c, nil, deskbell.NewTicket{
		Contact: deskbell.NewTicketContact{Email: pointer(types.Email("ann@example.com"))},
		Content: pointer("My card is refused."),
	}))
	ticket := answer.JSON201
	expect(ticket != nil, "201 with the ticket", string(answer.Body))
	expect(ticket.Status == deskbell.TicketStatusNew && ticket.Operator == nil, "a new ticket", ticket)
	expect(*ticket.Contact.Email == "ann@example.com", "its contact", ticket.Contact)
	return ticket
}

func (c calls) findTicket(ticket *deskbell.Ticket) {
	answer := must(c.ListTicketsWithResponse(c, &deskbell.ListTicketsParams{
		Status: &[]deskbell.TicketStatus{deskbell.TicketStatusNew},
	}))
	expect(answer.JSON200 != nil, "200 with tickets", string(answer.Body))
	isOurs := func(found deskbell.Ticket) bool { return found.Id == ticket.Id }
	expect(slices.ContainsFunc(answer.JSON200.Items, isOurs), "the ticket among them", answer.JSON200)
}

func (c calls) upload() *deskbell.Media {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	must(must(form.CreateFormFile("file", "hello.txt")).Write([]byte("Hello")))
	form.Close()
	answer := must(c.UploadMediaWithBodyWithResponse(c, nil, form.FormDataContentType(), &body))
	media := answer.JSON201
	expect(media != nil && media.Kind == deskbell.MediaKindFile, "201 with the file", string(answer.Body))
	return media
}

func (c calls) download(media *deskbell.Media) {
	answer := must(c.GetMediaWithResponse(c, media.Id.String(), nil))
	expect(string(answer.Body) == "Hello", "the bytes of the file", answer.Status())
}

func (c calls) post(ticket *deskbell.Ticket, media *deskbell.Media) *deskbell.Message {
	answer := must(c.CreateTicketMessageWithResponse(c, ticket.Id.String(), nil, deskbell.NewMessage{
		Content:  pointer("We are looking into it"),
		MediaIds: &[]string{media.Id.String()},
	}))
	message := answer.JSON201
	expect(message != nil && message.SenderType == deskbell.SenderTypeBot, "201 with the message", string(answer.Body))
	return message
}

func (c calls) follow(ticket *deskbell.Ticket, message *deskbell.Message) {
	answer := must(c.ListUpdatesWithResponse(c, &deskbell.ListUpdatesParams{
		After:   pointer(0),
		Timeout: pointer(0),
		Events:  &[]deskbell.EventType{deskbell.EventTypeTicketCreated, deskbell.EventTypeMessageCreated},
	}))
	expect(answer.JSON200 != nil, "200 with events", string(answer.Body))
	var found []string
	for _, update := range answer.JSON200.Items {
		switch event := must(update.ValueByDiscriminator()).(type) {
		case deskbell.TicketCreatedUpdate:
			found = append(found, event.Data.TicketId.String())
		case deskbell.MessageCreatedUpdate:
			found = append(found, event.Data.MessageId.String())
		default:
			panic(fmt.Sprintf("an event that was not asked for: %T", event))
		}
	}
	expect(slices.Contains(found, ticket.Id.String()), "the ticket among them", found)
	expect(slices.Contains(found, message.Id.String()), "the message among them", found)
}

func (c calls) subscribe(url string) *deskbell.RegisteredWebhook {
	answer := must(c.CreateWebhookWithResponse(c, nil, deskbell.NewWebhook{
		Url:    url,
		Events: &[]deskbell.EventType{deskbell.EventTypeTicketClosed},
	}))
	expect(answer.JSON201 != nil, "201 with the webhook", string(answer.Body))
	return answer.JSON201
}

func (c calls) beDelivered(webhook *deskbell.RegisteredWebhook, deliveries chan delivery) {
	request := deskbell.TestRequest{Event: pointer(deskbell.EventTypeTicketClosed)}
	answer := must(c.TestWebhookWithResponse(c, webhook.Id.String(), nil, request))
	expect(answer.JSON200 != nil && answer.JSON200.Delivered, "200 and delivered", string(answer.Body))
	received := <-deliveries
	mac := hmac.New(sha256.New, []byte(webhook.Secret))
	mac.Write(received.body)
	expect(received.signature == "sha256="+hex.EncodeToString(mac.Sum(nil)), "the signature", received.signature)
	var event deskbell.Event
	expect(json.Unmarshal(received.body, &event) == nil, "an event", string(received.body))
	closed, isClosed := must(event.ValueByDiscriminator()).(deskbell.TicketClosedEvent)
	expect(isClosed && closed.Data.ResolutionSecs > 0, "ticket.closed", string(received.body))
}

func (c calls) fail() {
	answer := must(c.GetTicketWithResponse(c, "0", nil))
	isCoded := answer.JSON404 != nil && answer.JSON404.ErrorCode == deskbell.ErrorCodeTICKETNOTFOUND
	expect(isCoded, "404 with its code", string(answer.Body))
	invalid := must(c.ListTicketsWithResponse(c, &deskbell.ListTicketsParams{PageSize: pointer(101)}))
	expect(invalid.JSON422 != nil, "422 with the problems", string(invalid.Body))
	problems := must(invalid.JSON422.AsApiValidationError()).Detail
	expect(must(problems[0].Loc[1].AsApiProblemPlace0()) == "page_size", "the place of the problem", problems)
}

// Starts a server that receives webhook deliveries.
func receive() (string, chan delivery) {
	deliveries := make(chan delivery, 10)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) {
		body := must(io.ReadAll(request.Body))
		deliveries <- delivery{body, request.Header.Get("X-Webhook-Signature")}
	}))
	return server.URL, deliveries
}

func main() {
	address, key := os.Args[1], os.Args[2]
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+key)
		return nil
	}
	client := must(deskbell.NewClientWithResponses(address+"/api/v1", deskbell.WithRequestEditorFn(authorize)))
	c := calls{context.Background(), client}
	c.makeContact()
	ticket := c.makeTicket()
	c.findTicket(ticket)
	media := c.upload()
	c.download(media)
	message := c.post(ticket, media)
	c.follow(ticket, message)
	url, deliveries := receive()
	webhook := c.subscribe(url)
	c.beDelivered(webhook, deliveries)
	c.fail()
}
