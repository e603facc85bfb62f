// Answers for kafka-go: its package protocol reads and writes frames, so a frame is put around each message.
package main

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/segmentio/kafka-go/protocol"
	_ "github.com/segmentio/kafka-go/protocol/addoffsetstotxn"
	_ "github.com/segmentio/kafka-go/protocol/addpartitionstotxn"
	_ "github.com/segmentio/kafka-go/protocol/alterclientquotas"
	_ "github.com/segmentio/kafka-go/protocol/alterconfigs"
	_ "github.com/segmentio/kafka-go/protocol/alterpartitionreassignments"
	_ "github.com/segmentio/kafka-go/protocol/alteruserscramcredentials"
	_ "github.com/segmentio/kafka-go/protocol/apiversions"
	_ "github.com/segmentio/kafka-go/protocol/createacls"
	_ "github.com/segmentio/kafka-go/protocol/createpartitions"
	_ "github.com/segmentio/kafka-go/protocol/createtopics"
	_ "github.com/segmentio/kafka-go/protocol/deleteacls"
	_ "github.com/segmentio/kafka-go/protocol/deletegroups"
	_ "github.com/segmentio/kafka-go/protocol/deletetopics"
	_ "github.com/segmentio/kafka-go/protocol/describeacls"
	_ "github.com/segmentio/kafka-go/protocol/describeclientquotas"
	_ "github.com/segmentio/kafka-go/protocol/describeconfigs"
	_ "github.com/segmentio/kafka-go/protocol/describegroups"
	_ "github.com/segmentio/kafka-go/protocol/describeuserscramcredentials"
	_ "github.com/segmentio/kafka-go/protocol/electleaders"
	_ "github.com/segmentio/kafka-go/protocol/endtxn"
	_ "github.com/segmentio/kafka-go/protocol/fetch"
	_ "github.com/segmentio/kafka-go/protocol/findcoordinator"
	_ "github.com/segmentio/kafka-go/protocol/heartbeat"
	_ "github.com/segmentio/kafka-go/protocol/incrementalalterconfigs"
	_ "github.com/segmentio/kafka-go/protocol/initproducerid"
	_ "github.com/segmentio/kafka-go/protocol/joingroup"
	_ "github.com/segmentio/kafka-go/protocol/leavegroup"
	_ "github.com/segmentio/kafka-go/protocol/listgroups"
	_ "github.com/segmentio/kafka-go/protocol/listoffsets"
	_ "github.com/segmentio/kafka-go/protocol/listpartitionreassignments"
	_ "github.com/segmentio/kafka-go/protocol/metadata"
	_ "github.com/segmentio/kafka-go/protocol/offsetcommit"
	_ "github.com/segmentio/kafka-go/protocol/offsetdelete"
	_ "github.com/segmentio/kafka-go/protocol/offsetfetch"
	_ "github.com/segmentio/kafka-go/protocol/produce"
	_ "github.com/segmentio/kafka-go/protocol/saslauthenticate"
	_ "github.com/segmentio/kafka-go/protocol/saslhandshake"
	_ "github.com/segmentio/kafka-go/protocol/syncgroup"
	_ "github.com/segmentio/kafka-go/protocol/txnoffsetcommit"
)

const correlationID = 7

func frame(asked question, body []byte) ([]byte, int) {
	var header []byte
	if asked.Kind == "request" {
		header = binary.BigEndian.AppendUint16(header, uint16(asked.ApiKey))
		header = binary.BigEndian.AppendUint16(header, uint16(asked.Version))
	}
	header = binary.BigEndian.AppendUint32(header, correlationID)
	if asked.Kind == "request" {
		// An empty client id, and the tagged fields of version 2.
		header = append(header, 0, 0)
		if asked.HeaderVersion > 1 {
			header = append(header, 0)
		}
	} else if asked.HeaderVersion > 0 {
		header = append(header, 0)
	}
	size := binary.BigEndian.AppendUint32(nil, uint32(len(header)+len(body)))
	start := append(size, header...)
	return append(start, body...), len(start)
}

func reencode(asked question, body []byte) ([]byte, error) {
	data, start := frame(asked, body)
	var out bytes.Buffer
	if asked.Kind == "request" {
		_, _, client, message, err := protocol.ReadRequest(bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		if err := protocol.WriteRequest(&out, asked.Version, correlationID, client, message); err != nil {
			return nil, err
		}
	} else {
		_, message, err := protocol.ReadResponse(bytes.NewReader(data), protocol.ApiKey(asked.ApiKey), asked.Version)
		if err != nil {
			return nil, err
		}
		if err := protocol.WriteResponse(&out, asked.Version, correlationID, message); err != nil {
			return nil, err
		}
	}
	if out.Len() < start {
		return nil, fmt.Errorf("%d bytes written, fewer than the header has", out.Len())
	}
	return out.Bytes()[start:], nil
}

// A key without registered types is refused, or has empty lists of versions.
func unknown(reason string) bool {
	return strings.HasPrefix(reason, "unsupported ") || strings.HasSuffix(reason, "out of range [0] with length 0")
}

func failed(asked question, reason string) map[string]string {
	if unknown(reason) {
		return map[string]string{"unsupported": asked.Message}
	}
	return map[string]string{"error": reason}
}

func answer(asked question) (result map[string]string) {
	defer func() {
		if reason := recover(); reason != nil {
			result = failed(asked, fmt.Sprint("panic: ", reason))
		}
	}()
	if asked.Op != "reencode" {
		return map[string]string{"unsupported": asked.Message}
	}
	data, err := hex.DecodeString(asked.Hex)
	if err == nil {
		data, err = reencode(asked, data)
	}
	if err != nil {
		return failed(asked, err.Error())
	}
	return map[string]string{"hex": hex.EncodeToString(data)}
}
