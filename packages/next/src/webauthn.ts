"use client"

export { signIn } from "@latchkey/react/webauthn"
