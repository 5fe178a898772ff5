import { testModule } from "@latchkey/testing"
import { describe, test } from "vitest"
import { authenticatorApp } from "./totp.js"

testModule({ name: "an authenticator app", ...authenticatorApp }, { describe, test })
