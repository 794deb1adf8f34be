package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"
	"time"
)

// Ticket contains the fields of a ticket that this program shows.
type Ticket struct {
	ShortID  string    `json:"short_id"`
	Subject  string    `json:"subject"`
	Status   string    `json:"status"`
	Priority string    `json:"priority"`
	Tags     []string  `json:"tags"`
	Contact  Person    `json:"contact"`
	Operator *Operator `json:"operator"`
	Updated  Time      `json:"updated_at"`
}

type Person struct {
	FullName string `json:"full_name"`
	Email    string `json:"email"`
}

type Operator struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Email string `json:"email"`
}

type Message struct {
	SenderType string `json:"sender_type"`
	SenderName string `json:"sender_name"`
	Content    string `json:"content"`
	IsInternal bool   `json:"is_internal"`
	Created    Time   `json:"created_at"`
}

// Time is in UTC without a suffix: 2026-01-15T10:30:00.123456.
type Time struct{ time.Time }

func (t *Time) UnmarshalJSON(text []byte) (err error) {
	t.Time, err = time.Parse(`"2006-01-02T15:04:05"`, string(text)) // also accepts fractions of a second; the result is in UTC
	return err
}

func (t Time) String() string { return t.Local().Format("2006-01-02 15:04") }

func printList(tickets []json.RawMessage) error {
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "NUMBER\tSTATUS\tPRIORITY\tUPDATED\tCONTACT\tSUBJECT")
	for _, item := range tickets {
		var ticket Ticket
		if err := json.Unmarshal(item, &ticket); err != nil {
			return err
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", ticket.ShortID, ticket.Status, ticket.Priority,
			ticket.Updated, nameOf(ticket.Contact), ticket.Subject)
	}
	return table.Flush()
}

func printTicket(ticket Ticket) {
	assignee := "unassigned"
	if ticket.Operator != nil {
		assignee = "assigned to " + ticket.Operator.Name
	}
	fmt.Printf("#%s  %s\n", ticket.ShortID, ticket.Subject)
	fmt.Printf("%s, %s, from %s, %s\n", ticket.Status, ticket.Priority, nameOf(ticket.Contact), assignee)
	if len(ticket.Tags) > 0 {
		fmt.Println("Tags:", strings.Join(ticket.Tags, ", "))
	}
}

func nameOf(person Person) string {
	if person.FullName != "" {
		return person.FullName
	}
	return person.Email
}

func printMessage(message Message) {
	from := message.SenderName
	if from == "" {
		from = message.SenderType
	}
	if message.IsInternal {
		from += " (internal note)"
	}
	fmt.Printf("\n%s  %s\n%s\n", message.Created, from, message.Content)
}

func printJSON(value any) error {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	fmt.Println(string(text))
	return nil
}
