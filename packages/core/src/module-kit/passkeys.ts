import type { PasskeyButton } from "../model/module-content.js"

/** Asks users for one of the passkeys that they have, for example as a second factor. */
export interface Passkeys {
  /** The passkeys of a user that work here. */
  of(userId: string): Promise<readonly OwnPasskey[]>
  /**
   * Options for the button `passkey` of a form. The challenge works for ten minutes, once, and for this question alone. Whether the
   * authenticator verifies its user is up to it. `null`: the user has no passkey that may answer.
   */
  ask(question: PasskeyQuestion): Promise<PasskeyButton["options"] | null>
  /** Uses up what the form sent as the field `passkey`, and stores the use of the passkey. `null`: it's no answer to this question. */
  verify(question: PasskeyQuestion, answer: string): Promise<Asserted | null>
}

/** What a passkey proves. */
export interface PasskeyQuestion {
  readonly userId: string
  /** What is proven, such as one sign-in that is held. An answer that was given for something else isn't one. */
  readonly purpose: string
  /** Ids of the passkeys that may answer. @default all of the user */
  readonly among?: readonly string[] | undefined
}

/** A passkey of a user. */
export interface OwnPasskey {
  /** The credential id, in base64. */
  readonly id: string
  /** What the user calls it. */
  readonly name: string | undefined
}

/** The user has just used a passkey. */
export interface Asserted {
  readonly id: string
  /** Whether the authenticator verified its user (`"hwk"`), or only saw a touch (`"pop"`). RFC 8176. */
  readonly amr: "hwk" | "pop"
}
