package main

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Client calls the API of one project.
type Client struct {
	server string
	key    string
	http   http.Client
}

func newClient(server, key string) *Client {
	return &Client{strings.TrimRight(server, "/") + "/api/v1", key, http.Client{Timeout: 30 * time.Second}}
}

// Refusal is an error that a retry would not fix.
type Refusal struct {
	Status int
	Code   string // error_code, if there is one
	Text   string // for people
}

func (refusal *Refusal) Error() string { return refusal.Text }

// Unavailable means that no attempt succeeded.
type Unavailable struct{ reason string }

func (unavailable *Unavailable) Error() string { return unavailable.reason }

const attempts = 4

func (client *Client) get(path string, query url.Values) ([]byte, error) {
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return client.send("GET", path, nil)
}

// send retries a request while the server is busy or unavailable. Every attempt has the same Idempotency-Key, so a POST is not
// executed twice if its response was lost.
func (client *Client) send(method, path string, body any) ([]byte, error) {
	key := newKey()
	var failure error
	for attempt := 0; attempt < attempts; attempt++ {
		answer, pause, err := client.try(method, path, body, key)
		if pause == 0 {
			return answer, err
		}
		failure = err
		if attempt+1 < attempts {
			time.Sleep(max(pause, time.Second<<attempt))
		}
	}
	return nil, &Unavailable{failure.Error()}
}

// try sends a request once. If the pause is above 0, the caller may retry after it.
func (client *Client) try(method, path string, body any, key string) ([]byte, time.Duration, error) {
	request, err := client.build(method, path, body, key)
	if err != nil {
		return nil, 0, err
	}
	response, err := client.http.Do(request)
	if err != nil {
		return nil, time.Millisecond, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, time.Millisecond, err
	}
	if response.StatusCode < 300 {
		return answer, 0, nil
	}
	refusal := readRefusal(response.StatusCode, answer)
	if !isTemporary(response.StatusCode) {
		return nil, 0, refusal
	}
	seconds, _ := strconv.Atoi(response.Header.Get("Retry-After"))
	return nil, max(time.Duration(seconds)*time.Second, time.Millisecond), refusal
}

func (client *Client) build(method, path string, body any, key string) (*http.Request, error) {
	content, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	if body == nil {
		content = nil
	}
	request, err := http.NewRequest(method, client.server+path, bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+client.key)
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if method == "POST" {
		request.Header.Set("Idempotency-Key", key)
	}
	return request, nil
}

func isTemporary(status int) bool {
	return status == 408 || status == 429 || status >= 500
}

// readRefusal parses the three error formats: error_code and error_message, or detail as a string or a list.
func readRefusal(status int, answer []byte) *Refusal {
	var body struct {
		ErrorCode    string          `json:"error_code"`
		ErrorMessage string          `json:"error_message"`
		Detail       json.RawMessage `json:"detail"`
	}
	if json.Unmarshal(answer, &body) != nil {
		return &Refusal{Status: status, Text: fmt.Sprintf("%d %s", status, http.StatusText(status))}
	}
	text := body.ErrorMessage
	if text == "" && json.Unmarshal(body.Detail, &text) != nil {
		text = fmt.Sprintf("%d %s", status, body.Detail)
	}
	return &Refusal{status, body.ErrorCode, text}
}

func newKey() string {
	bytes := make([]byte, 16)
	rand.Read(bytes)
	return hex.EncodeToString(bytes)
}
