import type { Argon2Library } from "./hashing/argon2.js"
import type { BcryptLibrary } from "./hashing/imported.js"
import type { Pepper } from "./hashing/pepper.js"
import type { IsBreached } from "./policy/breaches.js"

export type { Argon2Library, BcryptLibrary, IsBreached, Pepper }

/** Options of `password`. */
export interface PasswordOptions {
  /**
   * Characters (code points). At least 15, or 8 with `secondFactor` (NIST SP 800-63B-4).
   *
   * @default 15, or 8 with `secondFactor`
   */
  readonly minLength?: number | undefined
  /** The id of the module that asks every user for a second factor. */
  readonly secondFactor?: string | undefined
  /**
   * Whether a password is known from a breach, by its SHA-1 in 40 uppercase hexadecimal digits. `false`: nothing is looked up.
   *
   * @default Have I Been Pwned, which gets five of the digits
   */
  readonly breached?: false | IsBreached | undefined
  /**
   * The algorithm of new hashes. Every runtime verifies scrypt.
   *
   * @default argon2id where the runtime or `argon2` has it, else scrypt
   */
  readonly algorithm?: "argon2id" | "scrypt" | undefined
  /** Loads `@node-rs/argon2`, for runtimes without argon2: `() => import("@node-rs/argon2")`. */
  readonly argon2?: (() => Promise<Argon2Library>) | undefined
  /** Loads `bcryptjs`, for imported hashes of bcrypt: `() => import("bcryptjs")`. */
  readonly bcrypt?: (() => Promise<BcryptLibrary>) | undefined
  /**
   * Asks the system that you come from whether a password is right, as long as the user has none here. After the first time, it's here.
   */
  readonly verify?:
    | ((typed: { readonly email: string; readonly password: string }) => boolean | PromiseLike<boolean>)
    | undefined
  /**
   * Who may create an account, in every way to sign in. `"invitation"`: those to whom `invite` has sent a link, which are also invited if
   * they prove the same email otherwise. `"closed"`: no one.
   *
   * @default "open"
   */
  readonly signUp?: "open" | "invitation" | "closed" | undefined
  /**
   * What the sign-up form also asks for, by name. `name`, `givenName` and `familyName` have labels already, and make the name of the
   * user. The `signUp` callback gets all as `fields`, and decides what is stored.
   *
   * @default nothing
   */
  readonly fields?: Readonly<Record<string, SignUpField>> | undefined
  /**
   * Users choose a username at the sign-up, and sign in with it or with their email. Usernames are ASCII and in lowercase, and two that look
   * alike can't both exist, such as `admin` and `adrnin`.
   *
   * @default false
   */
  readonly usernames?: boolean | undefined
  /** Secrets that aren't in the database, the newest first. Keep a former one until no hash has its id. @default none */
  readonly pepper?: readonly Pepper[] | undefined
  /** Hashes at once, and how many more wait. Each takes up to 32 MiB. @default 4 at once, and 100 wait */
  readonly hashing?: { readonly parallel?: number | undefined; readonly waiting?: number | undefined } | undefined
}

/** A line of text of at most 200 characters. */
export interface SignUpField {
  /** For all languages, or by language tag. */
  readonly label?: string | Readonly<Record<string, string>> | undefined
  /** @default true */
  readonly required?: boolean | undefined
  /** What the browser fills in, such as `"organization"`. */
  readonly autocomplete?: string | undefined
}

/** Functions for the server code of the application, as `password` of the initializer's result. */
export interface PasswordServer {
  /** Whether the user has a password. */
  has(userId: string): Promise<boolean>
  /**
   * Sends the user a link to choose a new password. Until then, the present one works. Needs AUTH_URL.
   *
   * @returns `false` if there's no such user, or the user has no email
   */
  startReset(userId: string): Promise<boolean>
  /**
   * Sends an email with a link to create an account. It works once, for seven days, and for this email. Another invitation for the
   * same email replaces it. Needs AUTH_URL.
   *
   * @returns `false` if a user has the email
   * @throws TypeError if it isn't an email, or sign-up is closed
   */
  invite(email: string): Promise<boolean>
  /** The username of a user. `null`: none. */
  usernameOf(userId: string): Promise<string | null>
  /** Withdraws an invitation. @returns `false` if the email has none */
  uninvite(email: string): Promise<boolean>
  /**
   * Stores the hash that another system made. It's verified at the next sign-in, and made anew then. If the user's email isn't verified,
   * it doesn't work until the user resets it.
   *
   * @returns `false` if there's no such user, or the user has a password already
   * @throws TypeError as `formatOf` does
   */
  importHash(userId: string, hash: string, options?: ImportOptions): Promise<boolean>
  /**
   * The format of a hash: `bcrypt`, `firebase`, `s2`, `salt:key`, `django`, `aspnet`, or the name in a PHC string, such as `argon2id`.
   *
   * @throws TypeError if it's unknown, or if it's of bcrypt and the option `bcrypt` isn't set
   */
  formatOf(hash: string): Promise<string>
}

/** Options of `importHash`. */
export interface ImportOptions {
  /** `true`: takes the place of the password that the user has. Sessions stay. @default false */
  readonly replace?: boolean | undefined
}
