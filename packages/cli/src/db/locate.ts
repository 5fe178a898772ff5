import { join } from "node:path"
import { redactor } from "../doctor/conceal.js"
import { environmentOf } from "../doctor/environment.js"
import { listens } from "../doctor/reading.js"
import { runnable } from "../doctor/runnable.js"
import { Failure, wrongUsage } from "../failure.js"
import type { Context } from "../outcome.js"
import { configurationFiles, findConfiguration } from "../project/find-configuration.js"
import { findProject, type Project } from "../project/project.js"
import { absolute, entryOf } from "./entries.js"
import type { Source } from "./job.js"

/** Options of every `latchkey db` command. */
export interface DbOptions {
  readonly config?: string
  readonly production?: boolean
  readonly url?: string
  readonly urlEnv?: string
  readonly prefix?: string
  readonly layout?: string
}

export interface Located {
  readonly source: Source
  readonly env: Readonly<Record<string, string | undefined>>
  /** Removes secrets from a text. */
  readonly clean: (text: string) => string
}

/** Finds the adapter in the configuration, or the URL of the database. @throws Failure if there is neither */
export function locate(context: Context, options: DbOptions): Located {
  const project = findProject(context.cwd)
  const { variables } = environmentOf(project, options.production === true, context.env)
  const url = urlOf(options, variables)
  const source = url === undefined ? configurationSource(project, options) : urlSource(context, project, options, url)
  return { source, env: variables, clean: cleaner({ ...variables, GIVEN_URL: url }) }
}

function urlOf({ url, urlEnv, config }: DbOptions, variables: Located["env"]): string | undefined {
  const given = [url && "--url", urlEnv && "--url-env", config && "--config"].filter(Boolean)
  if (given.length > 1) throw wrongUsage(`${given.join(" and ")} can't be combined.`)
  if (urlEnv === undefined) return url
  const value = variables[urlEnv]
  if (value) return value
  throw new Failure(`${urlEnv} isn't set, neither in the environment nor in an env file. Set it to the URL.`)
}

function urlSource(context: Context, { root }: Project, { prefix, layout }: DbOptions, url: string): Source {
  entryOf(url)
  const options = { ...(prefix !== undefined && { prefix }), ...(layout !== undefined && { layout }) }
  return { kind: "url", root, url: absolute(url, context.cwd), ...options }
}

function configurationSource(project: Project, { config, prefix, layout }: DbOptions): Source {
  if (prefix !== undefined || layout !== undefined)
    throw wrongUsage("--prefix and --layout need --url. An adapter in a configuration has its own options.")
  const { root, framework } = project
  const { file } = findConfiguration(root, config)
  const shown = runnable(configurationFiles(root), file)
  if (listens(file.source)) {
    throw new Failure(
      `${file.path} would start a server. Move the configuration to a file of its own, name another file with --config, or pass --url.`,
    )
  }
  const { basePath } = framework
  return { kind: "configuration", root, file: join(root, shown), shown, basePath, mount: undefined }
}

/** The password in a connection string, which may itself contain an `@`. */
const passwords = /([a-z][a-z\d+.-]*:\/\/[^\s:/@]*:)\S*@/gi

function cleaner(variables: Located["env"]): (text: string) => string {
  const redact = redactor(variables)
  return (text) => redact(text).replaceAll(passwords, "$1[redacted]@")
}
