import { testModule } from "@latchkey/testing"
import { describe, test } from "vitest"
import { keys } from "./keys.js"
import { pin } from "./pin.js"
import { authenticatorApp } from "./totp.js"

const runner = { describe, test }

testModule({ name: "an authenticator app", ...authenticatorApp }, runner)
testModule({ name: "a PIN as a factor", ...pin() }, runner)
testModule({ name: "API keys", ...keys() }, runner)
