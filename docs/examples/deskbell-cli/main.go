// Command deskbell-cli lists, shows and replies to tickets. It requires Go 1.21 or later and no other modules.
//
// Its exit codes are for scripts: 0 success, 1 refused by the server, 2 incorrect usage, 3 server unavailable.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

const usage = `Usage:
  deskbell-cli list [--status new,open] [--limit 20] [--json]
  deskbell-cli show TICKET [--json]
  deskbell-cli reply TICKET TEXT [--note] [--json]    TEXT "-" reads standard input; only operators see a note
  deskbell-cli close TICKET [--json]
  deskbell-cli assign TICKET OPERATOR [--json]        OPERATOR is an email address, an id, or "none"

TICKET is the number or id of a ticket. Set DESKBELL_URL and DESKBELL_API_KEY.
`

type mistake struct{ text string }

func (mistake mistake) Error() string { return mistake.text }

// options are the flags of all commands, and the other arguments.
type options struct {
	status string
	limit  int
	note   bool
	json   bool
	words  []string
}

func main() {
	err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "deskbell-cli:", err)
	}
	os.Exit(exitCode(err))
}

func exitCode(err error) int {
	var wrong mistake
	var unavailable *Unavailable
	switch {
	case err == nil:
		return 0
	case errors.As(err, &wrong):
		return 2
	case errors.As(err, &unavailable):
		return 3
	default:
		return 1
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return mistake{"no command\n" + usage}
	}
	commands := map[string]struct {
		words int
		run   func(*Client, options) error
	}{"list": {0, list}, "show": {1, show}, "reply": {2, reply}, "close": {1, closeTicket}, "assign": {2, assign}}
	command, ok := commands[args[0]]
	if !ok {
		return mistake{"unknown command " + args[0] + "\n" + usage}
	}
	given, err := parse(args[1:])
	if err != nil {
		return err
	}
	if len(given.words) != command.words {
		return mistake{"wrong number of arguments\n" + usage}
	}
	key := os.Getenv("DESKBELL_API_KEY")
	if key == "" {
		return mistake{"set DESKBELL_API_KEY to a key of your project (Settings, API keys)"}
	}
	server := os.Getenv("DESKBELL_URL")
	if server == "" {
		server = "http://localhost:3000"
	}
	return command.run(newClient(server, key), given)
}

// parse accepts flags before, between and after the other arguments.
func parse(args []string) (given options, err error) {
	flags := flag.NewFlagSet("deskbell-cli", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&given.status, "status", "new,open", "")
	flags.IntVar(&given.limit, "limit", 20, "")
	flags.BoolVar(&given.note, "note", false, "")
	flags.BoolVar(&given.json, "json", false, "")
	for err = flags.Parse(args); err == nil && flags.NArg() > 0; err = flags.Parse(flags.Args()[1:]) {
		given.words = append(given.words, flags.Arg(0))
	}
	if err != nil {
		err = mistake{err.Error() + "\n" + usage}
	}
	return given, err
}
