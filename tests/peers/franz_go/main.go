// Answers for franz-go: kmsg decodes the body of a message and appends it again.
package main

import (
	"encoding/hex"
	"fmt"

	"github.com/twmb/franz-go/pkg/kmsg"
)

type message interface {
	MaxVersion() int16
	SetVersion(int16)
	ReadFrom([]byte) error
	AppendTo([]byte) []byte
}

func find(asked question) message {
	if asked.Kind == "request" {
		if found := kmsg.RequestForKey(asked.ApiKey); found != nil {
			return found
		}
	} else if found := kmsg.ResponseForKey(asked.ApiKey); found != nil {
		return found
	}
	return nil
}

func answer(asked question) (result map[string]string) {
	defer func() {
		if reason := recover(); reason != nil {
			result = map[string]string{"error": fmt.Sprint("panic: ", reason)}
		}
	}()
	found := find(asked)
	if asked.Op != "reencode" || found == nil || found.MaxVersion() < asked.Version {
		return map[string]string{"unsupported": asked.Message}
	}
	data, err := hex.DecodeString(asked.Hex)
	if err == nil {
		found.SetVersion(asked.Version)
		err = found.ReadFrom(data)
	}
	if err != nil {
		return map[string]string{"error": err.Error()}
	}
	return map[string]string{"hex": hex.EncodeToString(found.AppendTo(nil))}
}
