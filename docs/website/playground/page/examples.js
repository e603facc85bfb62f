// The examples of the page.

const SPEC = `{
  "type": "data",
  "name": "SensorReading",
  "validVersions": "0-1",
  "flexibleVersions": "1+",
  "about": "Readings of a sensor.",
  "fields": [
    { "name": "Sensor", "type": "string", "versions": "0+",
      "about": "The name of the sensor." },
    { "name": "Token", "type": "string", "versions": "1+", "nullableVersions": "1+",
      "sensitive": true, "about": "The password of the sensor, or null." },
    { "name": "Samples", "type": "[]Sample", "versions": "0+",
      "about": "The samples, in the order of their times.", "fields": [
      { "name": "TimeMs", "type": "int64", "versions": "0+",
        "about": "The time in milliseconds since 1970." },
      { "name": "Counts", "type": "[]int32", "versions": "0+",
        "about": "The events in each second." }
    ]},
    { "name": "Note", "type": "string", "versions": "1+", "taggedVersions": "1+", "tag": 0,
      "about": "A note." }
  ]
}
`;

/** The state of a page that was opened without an example. */
export const EMPTY = {
  view: "bytes",
  text: "",
  part: "",
  message: "",
  version: "",
  own: false,
  spec: SPEC,
  old: SPEC.replace('"int64"', '"int32"'),
};

/** States by the name of the example. */
export const EXAMPLES = {
  "A request": { text: "00000023 0012 0004 00000007 0009 6b61666b612d636c69 00 0a 6b61666b612d636c69 04302e3100" },
  "A response": {
    text: "0000001c 00000007 0000 00000003 0000 0000 000d 0001 0000 0012 0012 0000 0004",
    message: "ApiVersionsResponse",
    part: "response",
  },
  "A dump of a request": {
    text: `0000   00 00 00 1d 00 03 00 09 00 00 00 02 00 05 61 64   ..............ad
0010   6d 69 6e 00 02 07 6f 72 64 65 72 73 00 01 00 00   min...orders....
0020   00                                                .`,
  },
  "A request with a mistake": {
    text: "00000023 0012 0004 00000007 0009 6b61666b612d636c69 00 0a 6b61666b612d636c69 1f302e3100",
  },
  "A password": { text: "0000001c 0024 0002 00000001 0001 61 00 0f 00616c69636500732d656372657400" },
  "My own message": {
    text:
      "05726f6f66 07733363726574 03 0000018bcfe56800 06 00000003 00000001 00000004 00000001 00000005 00 " +
      "0000018bcfe65260 01 00 01 0003036869",
    part: "body",
    version: "1",
    own: true,
  },
};
