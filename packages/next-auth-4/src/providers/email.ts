import type { Anything, Awaitable, CommonProviderOptions, Theme } from "../model.js"

export interface SendVerificationRequestParams {
  identifier: string
  url: string
  expires: Date
  provider: EmailConfig
  token: string
  theme: Theme
}

export interface EmailUserConfig {
  id?: string
  name?: string
  /** A URL or the transport options of Nodemailer. */
  server?: Anything
  type?: "email"
  /** @default "NextAuth <no-reply@example.com>" */
  from?: string
  /** Seconds until the link expires. @default 86400 (a day) */
  maxAge?: number
  sendVerificationRequest?: (params: SendVerificationRequestParams) => Awaitable<void>
  generateVerificationToken?: () => Awaitable<string>
  /** Hashes the token in the database. @default `secret` of the configuration */
  secret?: string
  normalizeIdentifier?: (identifier: string) => string
}

export interface EmailConfig extends CommonProviderOptions {
  id: "email"
  type: "email"
  name: "Email"
  server: Anything
  from: string
  maxAge: number
  sendVerificationRequest?: (params: SendVerificationRequestParams) => Awaitable<void>
  options: EmailUserConfig
  secret?: string
  generateVerificationToken?: () => Awaitable<string>
  normalizeIdentifier?: (identifier: string) => string
}

export type EmailProvider = (options: EmailUserConfig) => EmailConfig
export type EmailProviderType = "Email"

/** Signs in with a link in an email. Nodemailer sends it, unless you pass `sendVerificationRequest`. */
export default function Email(options: EmailUserConfig): EmailConfig {
  return {
    id: "email",
    type: "email",
    name: "Email",
    server: { host: "localhost", port: 25, auth: { user: "", pass: "" } },
    from: "NextAuth <no-reply@example.com>",
    maxAge: 86_400,
    options,
  }
}
