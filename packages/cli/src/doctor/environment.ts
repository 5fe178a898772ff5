import { check, withEnv } from "@latchkey/core"
import { exposure, readEnvFile } from "../project/env-file.js"
import { developmentFiles, productionFiles } from "../project/base-urls.js"
import type { Project } from "../project/project.js"
import { type Finding, ok, problem, warning } from "./finding.js"

export interface Environment {
  readonly variables: Readonly<Record<string, string | undefined>>
  /** The env files with variables. */
  readonly files: readonly string[]
}

/** The variables of the application: those of the env files that its framework reads, then those that are set. */
export function environmentOf(
  { root, framework }: Project,
  production: boolean,
  env: Readonly<Record<string, string | undefined>>,
): Environment {
  const isBundled = framework.runner === "bundler"
  const bundled = production ? productionFiles : developmentFiles
  const read = (isBundled ? bundled : [".env"])
    .map((file) => ({ file, values: readEnvFile(root, file) }))
    .filter(({ values }) => values.size > 0)
  const fromFiles = read.toReversed().flatMap(({ values }) => [...values])
  const set = Object.entries(env).filter(([, value]) => value !== undefined)
  const variables: Record<string, string | undefined> = Object.fromEntries([...fromFiles, ...set])
  if (production) variables["NODE_ENV"] = "production"
  // A bundler sets it. Node doesn't, and the engine doesn't treat an unset value as development.
  else if (isBundled) variables["NODE_ENV"] ??= "development"
  return { variables, files: read.map(({ file }) => file) }
}

/** The problems and warnings about a configuration. */
interface Checked {
  readonly errors: readonly { readonly path: string; readonly problem: string; readonly fix: string }[]
  readonly warnings: readonly { readonly code: string; readonly detail: string }[]
}

function checked({ framework }: Project, { variables }: Environment): Checked {
  return check(withEnv({ providers: [] }, variables, { basePath: framework.basePath }))
}

/** @param seen the results of running the configuration, which may have a secret of its own */
export function secretFindings(project: Project, environment: Environment, seen?: Checked): Finding[] {
  const { errors, warnings } = seen ?? checked(project, environment)
  const secret = errors.find(({ path }) => path === "secret")
  if (secret !== undefined) return [problem("secret", secret.problem, "Run `npx latchkey secret`")]
  if (warnings.every(({ code }) => code !== "weak-secret")) return [ok("secret", "set and strong")]
  return [
    warning(
      "secret",
      "The secret has less than 32 bytes of entropy",
      "Run `npx latchkey secret --force`. Users have to sign in again.",
    ),
  ]
}

export function urlFindings(project: Project, environment: Environment): Finding[] {
  const url = checked(project, environment).errors.find(({ path }) => path === "url")
  return url === undefined ? [] : [problem("url", `AUTH_URL: ${url.problem}`, url.fix)]
}

/** The warnings about AUTH_URL, for a configuration that wasn't run. */
export function urlWarnings(project: Project, environment: Environment): Finding[] {
  const { warnings } = checked(project, environment)
  return warnings.filter(({ code }) => code === "insecure-url").map(({ code, detail }) => warning(code, detail))
}

/** Checks the env files, which need no configuration file. */
export function environmentFindings({ root }: Project, { variables, files }: Environment): Finding[] {
  return [...oldNames(variables), ...hidden(root, files), ...files.flatMap((file) => exposed(root, file))]
}

/** Variables that are empty in one file and set in a file that the other takes precedence over, such as a secret in `.env`. */
function hidden(root: string, files: readonly string[]): Finding[] {
  return files.flatMap((file, index) =>
    files.slice(index + 1).flatMap((lower) => {
      const [values, lowerValues] = [readEnvFile(root, file), readEnvFile(root, lower)]
      const names = [...values.keys()].filter((name) => values.get(name) === "" && lowerValues.get(name))
      if (names.length === 0) return []
      const title = `${names.join(", ")} in ${lower} ${names.length === 1 ? "isn't" : "aren't"} used, because ${file} has an empty value`
      return [warning("env file", title, `Remove the empty ${names.length === 1 ? "line" : "lines"} from ${file}`)]
    }),
  )
}

const secretNames = /SECRET|PASSWORD|TOKEN|_KEY$|_SERVER$/

/** A file without secrets may be committed. */
function exposed(root: string, file: string): Finding[] {
  const holdsSecret = [...readEnvFile(root, file)].some(([name, value]) => value !== "" && secretNames.test(name))
  if (!holdsSecret || exposure(root, file) === undefined) return []
  return [
    warning(
      "env file",
      `${file} isn't in .gitignore and contains secrets`,
      `Add ${file} to .gitignore before you commit`,
    ),
  ]
}

function oldNames(variables: Environment["variables"]): Finding[] {
  const names = ["NEXTAUTH_SECRET", "NEXTAUTH_URL"].filter((name) => variables[name])
  if (names.length === 0) return []
  return [
    warning(
      "env file",
      `${names.join(" and ")} ${names.length === 1 ? "is an old name" : "are old names"} that Latchkey still reads`,
      "Rename to AUTH_SECRET and AUTH_URL with `npx latchkey migrate`",
    ),
  ]
}
