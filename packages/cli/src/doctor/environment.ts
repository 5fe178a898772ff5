import { check, withEnv } from "@latchkey/core"
import { exposure, readEnvFile } from "../project/env-file.js"
import { developmentFiles, productionFiles } from "../project/addresses.js"
import type { Project } from "../project/project.js"
import { type Finding, ok, problem, warning } from "./finding.js"

export interface Environment {
  readonly variables: Readonly<Record<string, string | undefined>>
  /** Env files that were read. */
  readonly files: readonly string[]
}

/** What the application would find in its environment: the env files that its framework reads, under what is set. */
export function environmentOf(
  { root, framework }: Project,
  production: boolean,
  env: Readonly<Record<string, string | undefined>>,
): Environment {
  const isBundled = framework.id !== "express" && framework.id !== "core"
  const bundled = production ? productionFiles : developmentFiles
  const read = (isBundled ? bundled : [".env"])
    .map((file) => ({ file, values: readEnvFile(root, file) }))
    .filter(({ values }) => values.size > 0)
  const told = read.toReversed().flatMap(({ values }) => [...values])
  const set = Object.entries(env).filter(([, value]) => value !== undefined)
  const variables: Record<string, string | undefined> = Object.fromEntries([...told, ...set])
  if (production) variables["NODE_ENV"] = "production"
  // A bundler sets it by itself; Node leaves it unset, which the engine does not take for development.
  else if (isBundled) variables["NODE_ENV"] ??= "development"
  return { variables, files: read.map(({ file }) => file) }
}

/** The secret and the address, which need no configuration file to be judged. */
export function environmentFindings({ root, framework }: Project, { variables, files }: Environment): Finding[] {
  const config = withEnv({ providers: [] }, variables, { basePath: framework.basePath })
  const { errors, warnings } = check(config)
  const secret = errors.find(({ path }) => path === "secret")
  const weak = warnings.find(({ code }) => code === "weak-secret")
  const address = errors.find(({ path }) => path === "url")
  return [
    ...(secret === undefined ? [] : [problem("secret", secret.problem, "Run `npx latchkey secret`")]),
    ...(weak === undefined
      ? []
      : [
          warning(
            "secret",
            "The secret has less than 32 bytes of entropy",
            "Run `npx latchkey secret --force`: everybody signs in once more",
          ),
        ]),
    ...(secret === undefined && weak === undefined ? [ok("secret", "AUTH_SECRET is set, and strong")] : []),
    ...(address === undefined ? [] : [problem("address", `AUTH_URL: ${address.problem}`, address.fix)]),
    ...formerNames(variables),
    ...files.flatMap((file) => exposed(root, file)),
  ]
}

const secretNames = /SECRET|PASSWORD|TOKEN|_KEY$|_SERVER$/

/** A file without secrets may well be committed. */
function exposed(root: string, file: string): Finding[] {
  const holdsSecret = [...readEnvFile(root, file)].some(([name, value]) => value !== "" && secretNames.test(name))
  const words = holdsSecret ? exposure(root, file) : undefined
  return words === undefined
    ? []
    : [warning("env file", words.split(":")[0] ?? words, `Add ${file} to .gitignore before you commit`)]
}

function formerNames(variables: Environment["variables"]): Finding[] {
  const names = ["NEXTAUTH_SECRET", "NEXTAUTH_URL"].filter((name) => variables[name])
  if (names.length === 0) return []
  return [
    warning(
      "env file",
      `${names.join(" and ")}: former names, still read`,
      "Rename them to AUTH_SECRET and AUTH_URL (`npx latchkey migrate`)",
    ),
  ]
}
