import type { Fetch } from "../primitives/runtime.js"
import type { AdapterUser } from "./adapter.js"
import type { Awaitable } from "./user.js"

export type { Fetch }

/** A profile as the provider sent it. Nothing about it has been checked. */
export interface RawProfile {
  readonly [claim: string]: unknown
}

/** A profile of a known service. Your callbacks can use claims that the type doesn't list without a type assertion. */
export interface ServiceProfile {
  readonly [claim: string]: ReturnType<typeof JSON.parse>
}

/** Appearance of the provider's button on the built-in sign-in page. */
export interface ProviderStyle {
  /** A path or the URL of an image. It replaces `icon`. */
  readonly logo?: string | undefined
  /** An inline image, which follows the color scheme. */
  readonly icon?: ProviderIcon | undefined
  /** A CSS color. */
  readonly brandColor?: string | undefined
  /** @deprecated use `brandColor` */
  readonly bg?: string | undefined
  /** @deprecated ignored */
  readonly text?: string | undefined
}

/** The `d` of each SVG path on a canvas of 24 × 24, and its CSS color. Without a color, it has that of the text. */
export type ProviderIcon = readonly (readonly [path: string, color?: string])[]

/** What every provider in a configuration has. */
export interface CommonProvider {
  /** Used in URLs and stored accounts. Letters, digits, `-`, `_`, `.` and `~`; unique in the configuration. */
  readonly id: string
  /** Shown on the built-in sign-in page. */
  readonly name: string
  /** The text of the button on the built-in sign-in page, for all languages or by language tag. @default "Sign in with …" */
  readonly buttonLabel?: string | Readonly<Record<string, string>> | undefined
}

/** What every provider has once the configuration is compiled. */
export interface CommonResolvedProvider {
  readonly id: string
  readonly name: string
  readonly style: ProviderStyle
  readonly buttonLabel?: CommonProvider["buttonLabel"]
  /** Whether a stored user can sign in without an account or a passkey. @default false */
  readonly canSignIn?: ((user: AdapterUser) => Awaitable<boolean>) | undefined
}
