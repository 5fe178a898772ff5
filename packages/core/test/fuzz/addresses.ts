import fc from "fast-check"
import { mutated, nasty, piece } from "./text.js"

const schemes = [
  "https:",
  "http:",
  "HTTPS:",
  "",
  "javascript:",
  "java\nscript:",
  "data:text/html,",
  "blob:https:",
  "view-source:https:",
  "filesystem:https:",
  "vbscript:",
  "file:",
  "about:",
  "ftp:",
  "ws:",
  "myapp:",
  "intent:",
  "urn:",
  "\thttps:",
  " https:",
  "https\uff1a",
]
const slashes = ["//", "/", "", "///", "\\\\", "/\\", "\\/", "/\t/", "//\n", ":", "/.//", "/..//"]
const users = ["", "", "", "app.test@", "app.test:443@", "a:b@", "@", "%40@", "app.test%2F@", "app.test\\@"]
const hosts = [
  "app.test",
  "evil.test",
  "app.test.evil.test",
  "xapp.test",
  "sub.app.test",
  "app.test.",
  "APP.TEST",
  "app%2Etest",
  "app\u3002test",
  "app.t\u00ebst",
  "\uff41pp.test",
  "app.test\u00ad",
  "127.0.0.1",
  "0x7f.1",
  "2130706433",
  "[::1]",
  "[::ffff:127.0.0.1]",
  "[fe80::1%25eth0]",
  "xn--app-.test",
  "",
  "localhost",
  "app.test\0",
  "app.test\tevil.test",
]
const ports = ["", "", "", ":", ":443", ":80", ":444", ":0443", ":99999", ":443@evil.test", ":\uff14\uff14\uff13"]
const paths = [
  "",
  "/",
  "/home",
  "/\\evil.test",
  "//evil.test",
  "/%2F/evil.test",
  "/..//evil.test",
  "/a?b=c#d",
  "?a",
  "#b",
]

/** URLs, also relative ones, from parts that parsers disagree about. */
export const address: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(
        fc.constantFrom(...schemes),
        fc.constantFrom(...slashes),
        fc.constantFrom(...users),
        fc.constantFrom(...hosts),
        fc.constantFrom(...ports),
        fc.constantFrom(...paths),
      )
      .map((parts) => parts.join("")),
  },
  {
    weight: 3,
    arbitrary: mutated(fc.constantFrom("https://app.test/home", "/home", "//app.test", "https://app.test")),
  },
  { weight: 1, arbitrary: fc.webUrl({ withQueryParameters: true, withFragments: true }) },
  { weight: 1, arbitrary: nasty },
)

/** Hosts as a `Host` header may contain them. */
export const host: fc.Arbitrary<string> = fc.oneof(
  fc
    .tuple(fc.constantFrom(...users), fc.constantFrom(...hosts), fc.constantFrom(...ports))
    .map((parts) => parts.join("")),
  mutated(fc.constantFrom("app.test", "app.test:443", "[2001:db8::1]:443", "10.0.0.1", "app.test, proxy.test")),
  nasty,
)

/** Client addresses with the decoration that proxies add. */
export const network: fc.Arbitrary<string> = fc.oneof(
  fc.ipV4(),
  fc.ipV4Extended(),
  fc.ipV6(),
  fc.ipV6().map((each) => `[${each}]:443`),
  mutated(fc.oneof(fc.ipV4(), fc.ipV6(), fc.constantFrom("::ffff:1.2.3.4", "fe80::1%eth0", "[2001:db8::1]:443"))),
  nasty,
)

const email = fc.oneof(
  fc.emailAddress(),
  fc.constantFrom("ada@app.test", "ada+x@b\u00fccher.example", "A.B@EXAMPLE.COM", "a@xn--bcher-kva.example"),
)

export const mailbox: fc.Arbitrary<string> = fc.oneof(
  email,
  mutated(email),
  mutated(email),
  fc
    .array(fc.string({ unit: fc.constantFrom(..."aäøλж中日한"), minLength: 1, maxLength: 18 }), {
      minLength: 2,
      maxLength: 12,
    })
    .map((labels) => `ada@${labels.join(".")}`),
  fc.tuple(email, piece, email).map((parts) => parts.join("")),
  fc
    .tuple(fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }), fc.constantFrom(...hosts))
    .map((parts) => parts.join("@")),
  nasty,
)
