package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"strings"
)

func list(client *Client, given options) error {
	query := url.Values{"status": {given.status}, "sort": {"-updated_at"}}
	tickets := []json.RawMessage{}
	err := readList(client, "/tickets", query, func(ticket json.RawMessage) bool {
		tickets = append(tickets, ticket)
		return len(tickets) < given.limit
	})
	if err != nil {
		return err
	}
	if given.json {
		return printJSON(tickets)
	}
	return printList(tickets)
}

func show(client *Client, given options) error {
	path := ticketPath(given)
	answer, err := client.get(path, nil)
	if err != nil {
		return err
	}
	if given.json {
		return printJSON(json.RawMessage(answer))
	}
	var ticket Ticket
	if err := json.Unmarshal(answer, &ticket); err != nil {
		return err
	}
	printTicket(ticket)
	return readList(client, path+"/messages", nil, func(message Message) bool {
		printMessage(message)
		return true
	})
}

func reply(client *Client, given options) error {
	text := given.words[1]
	if text == "-" {
		all, err := io.ReadAll(os.Stdin)
		if err != nil {
			return err
		}
		text = string(all)
	}
	body := map[string]any{"content": text, "is_internal": given.note}
	answer, err := client.send("POST", ticketPath(given)+"/messages", body)
	return report(given, answer, err, "Sent to ticket "+given.words[0])
}

// closeTicket succeeds if the ticket is already closed, because that is what the caller wants.
func closeTicket(client *Client, given options) error {
	answer, err := client.send("POST", ticketPath(given)+"/close", struct{}{})
	var refusal *Refusal
	if errors.As(err, &refusal) && refusal.Code == "TICKET_ALREADY_CLOSED" {
		answer, err = client.get(ticketPath(given), nil)
	}
	return report(given, answer, err, "Closed ticket "+given.words[0])
}

func assign(client *Client, given options) error {
	id, err := findOperator(client, given.words[1])
	if err != nil {
		return err
	}
	answer, err := client.send("PATCH", ticketPath(given), map[string]any{"operator_id": id})
	return report(given, answer, err, "Assigned ticket "+given.words[0]+" to "+given.words[1])
}

func ticketPath(given options) string { return "/tickets/" + url.PathEscape(given.words[0]) }

// findOperator returns the id of the operator with this email address, and nil for "none".
func findOperator(client *Client, word string) (id *string, err error) {
	if word == "none" {
		return nil, nil
	}
	if !strings.Contains(word, "@") {
		return &word, nil
	}
	err = readList(client, "/operators", nil, func(operator Operator) bool {
		if strings.EqualFold(operator.Email, word) {
			id = &operator.ID
		}
		return id == nil
	})
	if err == nil && id == nil {
		err = fmt.Errorf("no operator of this project has the email address %s", word)
	}
	return id, err
}

// readList reads a list page by page until visit stops it.
func readList[Item any](client *Client, path string, query url.Values, visit func(Item) bool) error {
	if query == nil {
		query = url.Values{}
	}
	query.Set("page_size", "100")
	query.Set("count", "false") // the total is not needed
	for {
		answer, err := client.get(path, query)
		if err != nil {
			return err
		}
		var page struct {
			Items      []Item `json:"items"`
			NextCursor string `json:"next_cursor"`
		}
		if err := json.Unmarshal(answer, &page); err != nil {
			return err
		}
		for _, item := range page.Items {
			if !visit(item) {
				return nil
			}
		}
		if page.NextCursor == "" {
			return nil
		}
		query.Set("cursor", page.NextCursor)
	}
}

// report prints the result of a change: the record that the server returned, or a sentence.
func report(given options, answer []byte, err error, sentence string) error {
	if err != nil {
		return err
	}
	if given.json {
		return printJSON(json.RawMessage(answer))
	}
	fmt.Println(sentence)
	return nil
}
