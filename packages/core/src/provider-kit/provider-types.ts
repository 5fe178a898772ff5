export type { EmailProviderId, OAuthProviderId } from "./generated/built-in-id.js"
