/**
 * Import this for its side effect in a file that serves the auth routes on an edge runtime, if users sign in with passkeys. It
 * adds the package `@simplewebauthn/server`, which middleware leaves out to stay small.
 *
 * @module
 */
import { importPasskeyLibrary } from "../provider-kit/passkey-library/import.js"
import { registerPasskeyLibrary } from "../provider-kit/passkey-library/registered.js"

registerPasskeyLibrary(importPasskeyLibrary)
