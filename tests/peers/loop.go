// The loop of all peers in Go: answers JSON lines, as docs/vectors.md describes. `make peers` copies it beside each peer.
package main

import (
	"bufio"
	"encoding/json"
	"os"
)

type question struct {
	Op, Message, Kind, Hex string
	ApiKey                 int16 `json:"api_key"`
	Version                int16
	HeaderVersion          int `json:"header_version"`
}

func main() {
	lines, out := bufio.NewReader(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var asked question
		if err := json.Unmarshal(line, &asked); err != nil {
			panic(err)
		}
		if err := out.Encode(answer(asked)); err != nil {
			panic(err)
		}
	}
}
