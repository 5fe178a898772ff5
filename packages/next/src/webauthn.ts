"use client"

export { type PasskeySignInOptions, signIn, type SignInWithPasskey } from "@latchkey/react/webauthn"
