import type { Command } from "../applications/processes.js"

/** A framework's official starter, and how the application that it makes is built, started and visited. */
export interface Starter {
  /** Unique. */
  readonly id: string
  /**
   * `@latchkey/<package>`
   * @default `id`
   */
  readonly package?: string
  /** Makes the application in the folder `app`. The version is pinned. */
  readonly create: Command
  /** What `create` downloads from another host than npm: a folder in `templates`, which `--record` writes. */
  readonly template?: string
  readonly guide: Guide
  /** `null`: `latchkey init` has nothing for it. */
  readonly init?: Init | null
  /** Path of the auth routes. */
  readonly basePath: string
  readonly types?: Command
  readonly build?: Command
  /** `{port}` is replaced. Without `start`, nothing is visited. */
  readonly start?: Command
  readonly dev?: Command
  /** Variables that stand for what this machine doesn't have, such as a network. */
  readonly instead?: Variables
  readonly visit: Visit
  /** A page with `<SignIn>`. */
  readonly signInPage?: SignInPage
}

export type Variables = Readonly<Record<string, string>>

/** A page in `docs`, and which of its sections are followed. The text before the first heading is `""`. */
export interface Guide {
  readonly page: string
  readonly sections: readonly string[]
  /** Files of these sections that are for other applications. */
  readonly except?: readonly string[]
}

/** Its picture is compared with the ones in `pictures`. */
export interface SignInPage {
  /** Where its files are printed. They replace those of the starter's guide. */
  readonly guide: Guide
  readonly path: string
}

/** `latchkey init`. The files of the guide that it doesn't write follow. */
export interface Init {
  /** Arguments, such as the name of the framework. */
  readonly args?: readonly string[]
  /** Files of the guide that aren't taken. */
  readonly except?: readonly string[]
  /** Files that the user writes. `{imports}` and `{additions}` are the lines that `init` shows. */
  readonly files?: Readonly<Record<string, string>>
  /** Instead of the starter's, if the files have other names. */
  readonly start?: Command
  /** Instead of what the guide's pages show. */
  readonly visit?: Visit
}

/** What a visitor sees in the application of the guide. */
export interface Visit {
  /** A page that needs a session, and shows the user. */
  readonly account: string
  /** `true`: pages are opened in Chromium too. */
  readonly pages: boolean
  /** The application has no auth routes, so only its sign-in page is visited, and this process answers the requests for them. */
  readonly isClient?: boolean
  /** A page with a button that starts the sign-in with GitHub. */
  readonly signIn?: { readonly path: string; readonly button: string }
  /** A page with a button that signs the user out. */
  readonly signOut?: { readonly path: string; readonly button: RegExp }
}
