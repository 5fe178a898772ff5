import type { Language } from "../i18n/language.js"
import type { MailText, MessageOptions } from "./email-message.js"
import type { Theme } from "./pages.js"
import type { ModuleMail } from "./module-content.js"
import type { CommonProvider, CommonResolvedProvider, Fetch, ProviderStyle } from "./provider.js"
import type { customFetch } from "./symbols.js"
import type { Awaitable } from "./user.js"

/** Argument of `sendVerificationRequest`. */
export interface VerificationRequest {
  /** The normalized email. */
  readonly identifier: string
  /** The link that signs the user in. */
  readonly url: string
  readonly expires: Date
  readonly token: string
  /**
   * Six digits that the user can type instead of opening the link, in the same browser and within ten minutes. A token
   * of your own that is as short is itself the code. `undefined` if the provider has `code: false`.
   */
  readonly code?: string | undefined
  readonly provider: EmailProvider
  readonly theme: Theme
  /** The language of the user, with the texts of the built-in emails. */
  readonly language?: Language | undefined
  /** Tags (BCP 47) of the languages that the user wants, the most wanted first. */
  readonly languages?: readonly string[] | undefined
  /** The request that asked for the link. */
  readonly request: Request
}

/** Argument of `sendAccountEmail`. */
export interface AccountEmail {
  /**
   * `"confirm"`: the new email has to be confirmed. `"changed"`: the email of the user was replaced by another one. `"notice"`: what
   * `letter` says.
   */
  readonly kind: "confirm" | "changed" | "notice"
  /** What a module has to say. */
  readonly letter?: Omit<ModuleMail, "to"> | undefined
  /** The recipient: the new email to confirm, or the former one. */
  readonly identifier: string
  /** The new email. For `"changed"` it's masked, such as `a***@example.com`. */
  readonly email: string
  /** The link that confirms the email, or the site. */
  readonly url: string
  /** When the link expires. */
  readonly expires?: Date | undefined
  /** Seconds until the link expires. */
  readonly expiresIn?: number | undefined
  readonly provider: EmailProvider
  readonly theme: Theme
  /** The language of the user, with the texts of the built-in emails. */
  readonly language?: Language | undefined
  /** Tags (BCP 47) of the languages that the user wants, the most wanted first. */
  readonly languages?: readonly string[] | undefined
  /** The request of the user. */
  readonly request: Request
}

export interface EmailConfig extends CommonProvider {
  readonly type: "email"
  /** Sender of the messages. */
  readonly from?: string | undefined
  /** Lifetime of a link, in seconds. @default 86400; 900 under `security: "strict"` */
  readonly maxAge?: number | undefined
  /** Sends the message. If it throws, the user sees an error and can try again. */
  sendVerificationRequest(params: VerificationRequest): Awaitable<void>
  /**
   * Sends the emails about a change of the user's email. Without it, `sendVerificationRequest` sends the link that confirms a new
   * email, and the former email gets no message. The built-in senders have it.
   */
  sendAccountEmail?(params: AccountEmail): Awaitable<void>
  /** Secret for hashing tokens. @default `secret` of the configuration */
  readonly secret?: string | undefined
  /** Key of the service that sends the messages. @default the environment variable AUTH_<ID>_KEY, see `withEnv` */
  readonly apiKey?: string | undefined
  /** SMTP server of the `nodemailer` provider: a URL or Nodemailer's transport options. */
  readonly server?: string | object | undefined
  /** Adds a code to each message. The user can type it instead of opening the link. @default true */
  readonly code?: boolean | undefined
  /** @default 32 random bytes in hex */
  generateVerificationToken?(): Awaitable<string>
  /** Returns the normalized email, or throws to refuse it. */
  normalizeIdentifier?(identifier: string): string
  readonly style?: ProviderStyle | undefined
  /** Replaces `fetch` for requests to the service. */
  readonly [customFetch]?: Fetch | undefined
  readonly options?: EmailUserConfig | undefined
}

export type EmailUserConfig = Partial<Omit<EmailConfig, "options" | "type">>

/** An email provider once the configuration is compiled. */
export interface EmailProvider extends CommonResolvedProvider {
  readonly type: "email"
  readonly from: string | undefined
  /** Seconds. */
  readonly maxAge: number
  readonly secret: string | undefined
  readonly apiKey: string | undefined
  readonly server: string | object | undefined
  /** Messages carry a code. */
  readonly code: boolean
  readonly fetch: Fetch
  readonly sendVerificationRequest: (params: VerificationRequest) => Awaitable<void>
  readonly sendAccountEmail: ((params: AccountEmail) => Awaitable<void>) | undefined
  /**
   * Creates the built-in email for a message, in the language of the user. It's passed to the senders, because their modules are
   * part of middleware, and the texts and the layout have to stay out of it.
   */
  readonly compose: (message: VerificationRequest | AccountEmail, options?: MessageOptions) => Promise<MailText>
  readonly generateVerificationToken: (() => Awaitable<string>) | undefined
  readonly normalizeIdentifier: ((identifier: string) => string) | undefined
}
