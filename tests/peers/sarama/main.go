// Answers for sarama. Its codecs are private: peer_export.go, which is copied into the library, exports them.
package main

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"

	"github.com/IBM/sarama"
)

type question struct {
	Op, Message, Kind, Hex string
	ApiKey                 int16 `json:"api_key"`
	Version                int16
}

func answer(asked question) (result map[string]string) {
	defer func() {
		if reason := recover(); reason != nil {
			result = map[string]string{"error": fmt.Sprint("panic: ", reason)}
		}
	}()
	data, err := hex.DecodeString(asked.Hex)
	if err != nil {
		return map[string]string{"error": err.Error()}
	}
	again, found, err := sarama.PeerReencode(asked.Kind == "request", asked.ApiKey, asked.Version, data)
	if asked.Op != "reencode" || !found {
		return map[string]string{"unsupported": asked.Message}
	}
	if err != nil {
		return map[string]string{"error": err.Error()}
	}
	return map[string]string{"hex": hex.EncodeToString(again)}
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
