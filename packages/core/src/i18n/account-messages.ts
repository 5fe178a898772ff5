import type { Notice } from "./notice.js"

/** Texts of the account page. */
export interface AccountMessages {
  readonly title: string
  /** `{user}`. */
  readonly signedInAs: string
  readonly saved: string
  /** An action that failed for an unknown reason. */
  readonly failed: string
  readonly signInAgain: Notice & { readonly button: string }
  readonly profile: {
    readonly heading: string
    readonly name: string
    readonly email: string
    readonly noEmail: string
    readonly image: string
    readonly changeName: string
    readonly changeImage: string
    readonly imageUrl: string
    /** A name or an image that the user can't have. */
    readonly invalid: string
  }
  readonly email: {
    readonly heading: string
    readonly label: string
    readonly button: string
    /** `{email}`. */
    readonly sent: string
    readonly changed: string
    readonly confirmHeading: string
    /** `{email}`. */
    readonly confirmText: string
    readonly confirmButton: string
    readonly expired: string
  }
  readonly passkeys: {
    readonly heading: string
    readonly none: string
    readonly add: string
    readonly added: string
    readonly unnamed: string
    readonly name: string
    readonly rename: string
    readonly save: string
    readonly remove: string
    /** `{name}`. */
    readonly removeQuestion: string
    readonly removed: string
    /** `{date}`. */
    readonly created: string
    /** `{date}`. */
    readonly lastUsed: string
    readonly lastWayIn: string
    readonly inUse: string
  }
  readonly accounts: {
    readonly heading: string
    readonly none: string
    /** `{provider}`. */
    readonly connect: string
    /** Connects another account at a provider. */
    readonly add: string
    readonly disconnect: string
    /** `{provider}`. */
    readonly disconnectLabel: string
    readonly disconnected: string
    readonly lastWayIn: string
  }
  readonly sessions: {
    readonly heading: string
    readonly thisDevice: string
    /** `{browser}`, `{system}`. */
    readonly device: string
    readonly unknownDevice: string
    /** `{date}`. */
    readonly started: string
    /** `{date}`. */
    readonly lastUsed: string
    readonly signOut: string
    /** `{device}`. */
    readonly signOutLabel: string
    readonly signOutOthers: string
    readonly signOutEverywhere: string
    readonly ended: string
    readonly othersEnded: string
  }
  readonly deletion: {
    readonly heading: string
    readonly warning: string
    /** `{email}`. */
    readonly label: string
    /** For a user without an email. */
    readonly confirm: string
    readonly mismatch: string
    readonly button: string
    readonly done: string
  }
}
