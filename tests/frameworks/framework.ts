import type { Command } from "../applications/processes.js"
import type { RuntimeId } from "../applications/runtimes.js"
import type { BehaviorId } from "./behaviors/all.js"

/** At least two words. */
type Reason = `${string} ${string}`

/** A framework, or an older major of one, and how its example is built and started. */
export interface Framework {
  /** Unique, and the name of the file with the suite. */
  readonly id: string
  /** As users write it, such as `"SvelteKit"`. */
  readonly name: string
  readonly major: number
  /** What follows name and major, such as `"on Bun"`, if they aren't enough. */
  readonly variant?: string
  /** Packages whose versions docs/evidence/frameworks.md shows, the framework first. @default none, the framework is the runtime */
  readonly versions?: readonly string[]
  /** A folder in `examples`, or one next to the suite if it starts with `./`. */
  readonly example: string
  /** The commands that build the example for production, in order. Programs in `node_modules/.bin` are found. @default none */
  readonly build?: readonly Command[]
  /** Starts what was built. It gets `HOST` and `PORT`, and must listen there. */
  readonly start: Command
  /** Path of the auth routes. @default "/auth" */
  readonly basePath?: string
  /** Variables for the server. `{origin}` and `{port}` are replaced. */
  readonly env?: Readonly<Record<string, string>>
  /** Runs the server. @default the Node.js of this repository */
  readonly runtime?: RuntimeId
  /** Parts of source files that set an option to a value that isn't the default, by path. Configuration files are shown without it. */
  readonly options?: Readonly<Record<string, readonly string[]>>
  /** Why the application starts a server of its own, instead of that of the framework. */
  readonly ownServer?: Reason
  /** Files that replace those of the example, by path. */
  readonly files?: Readonly<Record<string, string>>
  /**
   * Packages to use instead: `{ express: "express-4" }` uses what `tests/frameworks/package.json` installs as `express-4`.
   * Paths are relative to `tests/frameworks/node_modules`.
   */
  readonly packages?: Readonly<Record<string, string>>
  /** Packages that the build and the server need besides those of the example, from `tests/frameworks/package.json`. */
  readonly tools?: readonly string[]
  /** `true`: users open pages, so they're tested in Chromium too. */
  readonly pages: boolean
  /** `true`: the example has `/client`, a page with the framework's `useSession`. */
  readonly client: boolean
  /** How a script of the framework sends a form. @default as a browser without JavaScript does */
  readonly script?: ScriptedForm
  /** Files and variables that put the whole example below `/docs`. @default it isn't built there */
  readonly below?: Pick<Framework, "files" | "env" | "options">
  /** Behaviors that the framework doesn't have, and why. A behavior over HTTP that is listed here must fail. */
  readonly except?: { readonly [Id in BehaviorId]?: Reason }
}

/** The path and the headers with which a script sends a form. */
export interface ScriptedForm {
  path?(path: string): string
  readonly headers?: Readonly<Record<string, string>>
}

/** What docs/evidence/frameworks.md calls the column. */
export function titleOf({ name, major, variant }: Framework): string {
  return [name, major, variant].filter((part) => part !== undefined).join(" ")
}

/** Why the framework doesn't have this behavior. */
export function reasonFor({ except = {} }: Framework, id: string): string | undefined {
  const reasons: Readonly<Record<string, string | undefined>> = except
  return reasons[id]
}

/** The framework, with its example below `/docs`. */
export function belowDocs(framework: Framework): Framework {
  const { basePath = "/auth", variant, files, env, options, below } = framework
  const moved = `/docs${basePath}`
  return {
    ...framework,
    variant: variant === undefined ? "below `/docs`" : `${variant}, below \`/docs\``,
    basePath: moved,
    files: { ...files, ...below?.files },
    env: { ...env, BASE_PATH: moved, ...below?.env },
    options: { ...options, ...below?.options },
  }
}

let declared: Framework[] | undefined

/** Calls `load`, and returns the frameworks whose suites it declares, without registering their tests. */
export async function collect(load: () => Promise<void>): Promise<readonly Framework[]> {
  declared = []
  try {
    await load()
    return declared
  } finally {
    declared = undefined
  }
}

/** Whether the framework was only declared, for {@link collect}. */
export function declare(framework: Framework): boolean {
  declared?.push(framework)
  return declared !== undefined
}
