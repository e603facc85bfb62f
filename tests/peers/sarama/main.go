// Answers for sarama. Its codecs are private: peer_export.go, which is copied into the library, exports them.
package main

import (
	"encoding/hex"
	"fmt"

	"github.com/IBM/sarama"
)

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
