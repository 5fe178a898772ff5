// A page for each provider: its guide is the comment of its file, and its code that of the guides of the frameworks.
import { existsSync } from "node:fs"
import { join } from "node:path"
import { readProviders } from "../../tools/providers.mjs"
import { root } from "../../tools/workspace.mjs"

/**
 * @typedef {import("./pages.mjs").Page} Page
 * @typedef {import("./guides.mjs").Guide} Guide
 * @typedef {import("../../tools/providers.mjs").Documented} Documented
 */

export const logos = join(root, "packages", "core", "logos")

/** @param {readonly Guide[]} guides @returns {Promise<Page[]>} */
export async function providerPages(guides) {
  const providers = await readProviders()
  return providers
    .toSorted((a, b) => titleOf(a).localeCompare(titleOf(b), "en"))
    .map((provider) => ({
      source: `packages/core/src/providers/${provider.entry.module}.ts`,
      path: `providers/${provider.entry.module}.md`,
      title: titleOf(provider),
      text: textFor(provider, guides),
    }))
}

/** Two email providers show the same name on their buttons. @param {Documented} provider */
function titleOf({ entry: { name, exportName, type, deprecated } }) {
  const unique = type === "email" ? exportName : name
  return deprecated ? `${unique} (deprecated)` : unique
}

/** @param {Documented} provider @param {readonly Guide[]} guides */
function textFor(provider, guides) {
  const { entry, guide } = provider
  const [summary = "", ...rest] = guide.split(/\n{2,}/)
  const logo = existsSync(join(logos, `${entry.module}.svg`)) ? `/logos/${entry.module}.svg` : undefined
  return [
    `---\n${logo === undefined ? "" : `logo: ${logo}\n`}---`,
    `# ${titleOf(provider)}`,
    summary,
    `## Register\n\n${rest.filter((part) => !part.startsWith("- ")).join("\n\n")}`,
    callback(provider),
    `## Configure\n\n${environment(entry)}\n\n${configuration(provider, guides)}`,
    notes(provider, rest),
    `## See also\n\n${seeAlso(entry)}`,
  ]
    .filter((part) => part !== "")
    .join("\n\n")
    .concat("\n")
}

/** @param {Documented} provider */
function callback({ entry: { id, type } }) {
  if (type === "email") return ""
  return `| | Redirect URI |
| --- | --- |
| In production | \`https://<your site>/auth/callback/${id}\` |
| On your machine | \`http://localhost:3000/auth/callback/${id}\` |
| With Next.js, or the base path \`/api/auth\` | \`…/api/auth/callback/${id}\` |`
}

/** @param {Documented["entry"]} entry */
function environment({ env, issuer, deprecated }) {
  const variables = Object.entries(env).map(([option, name]) => `${name}=${option === "issuer" ? (issuer ?? "") : ""}`)
  const intro = deprecated ? "::: warning\nThis provider is deprecated.\n:::\n\n" : ""
  if (variables.length === 0) return `${intro}No variable sets its options, so pass them.`
  return `${intro}\`\`\`sh\n# .env\n${variables.join("\n")}\n\`\`\``
}

/** @param {Documented} provider @param {readonly Guide[]} guides */
function configuration({ entry }, guides) {
  const options = entry.needs.filter((name) => name !== "issuer").map((name) => `${name}: "…"`)
  const needsAdapter = entry.type === "email"
  if (needsAdapter) options.push('from: "Acme <sign-in@example.com>"')
  const call = options.length === 0 ? entry.exportName : `${entry.exportName}({ ${options.join(", ")} })`
  const blocks = guides.map(({ name, config }) =>
    config
      .replace(/^```(\w+)/, `\`\`\`$1 [${name}]`)
      .replace(
        /import GitHub from "(@latchkey\/[\w-]+)\/providers\/github"/,
        `import ${entry.exportName} from "$1/providers/${entry.module}"`,
      )
      .replace("providers: [GitHub]", () => `providers: [${call}]`)
      .replace(/security: "strict",(?<space>\s+)/, (strict, space) =>
        needsAdapter ? `${strict}adapter,${space}` : strict,
      ),
  )
  const intro = needsAdapter ? "Sign-in by email needs an [adapter](/adapters.md). Import yours into the file.\n\n" : ""
  return `${intro}::: code-group\n\n${blocks.join("\n\n")}\n\n:::`
}

/** @param {Documented} provider @param {readonly string[]} rest */
function notes({ options }, rest) {
  const own = rest.filter((part) => part.startsWith("- ")).join("\n\n")
  const names = options.filter((name) => name !== "issuer")
  const list =
    names.length === 0
      ? ""
      : `Options of this provider only: ${names.map((name) => `\`${name}\``).join(", ")}. Hover over them in your editor for what they do.`
  return own === "" && list === "" ? "" : `## Good to know\n\n${[own, list].filter((part) => part !== "").join("\n\n")}`
}

/** @param {Documented["entry"]} entry */
function seeAlso({ docs, name, type }) {
  const guide =
    type === "email" ? "[Sign in by email](/email.md)" : "[Providers](/providers.md): options that every provider has"
  const service = type === "email" ? "Documentation of the service" : `Documentation of ${name}`
  return `- ${guide}\n- [${service}](${docs})\n- [Troubleshooting](/troubleshooting.md)`
}
