export { type SignInWithPasskey, usePasskeys } from "@latchkey/vue/webauthn"
