// What users can see of each entry, as text: a changed public type shows in the difference of packages/*/api/*.api.md.
import { mkdirSync, rmSync } from "node:fs"
import { basename, join } from "node:path"
import { entriesOf, filesBelow, packages, root, shown } from "../workspace.mjs"

/** @typedef {import("../workspace.mjs").Package} Package */
/** @typedef {import("../workspace.mjs").Entry} Entry */

/** @param {{ write: boolean }} options @returns {Promise<string[]>} the reports that are not (or were not) up to date */
export async function compareReports({ write }) {
  const extractor = (await import("@microsoft/api-extractor")).default
  return packages().flatMap((pkg) => {
    const configs = reported(pkg).map((entry) => configFor(extractor.ExtractorConfig, pkg, entry))
    mkdirSync(join(pkg.folder, "api"), { recursive: true })
    return [...written(extractor, configs, write), ...left(pkg, configs, write)]
  })
}

/** Entries that package.json names. Those behind a pattern are the providers, which all have the same shape. @param {Package} pkg */
function reported(pkg) {
  const { name, exports = {} } = pkg.manifest
  return entriesOf(pkg).filter(({ specifier }) => specifier.replace(name, ".") in exports)
}

/**
 * @param {typeof import("@microsoft/api-extractor")} extractor
 * @param {import("@microsoft/api-extractor").ExtractorConfig[]} configs
 * @param {boolean} write
 */
function written({ CompilerState, Extractor }, configs, write) {
  const [first] = configs
  if (first === undefined) return []
  const additionalEntryPoints = configs.map(({ mainEntryPointFilePath }) => mainEntryPointFilePath)
  const compilerState = CompilerState.create(first, { additionalEntryPoints })
  return configs.flatMap((config) => {
    const { apiReportChanged } = Extractor.invoke(config, {
      localBuild: write,
      compilerState,
      messageCallback: silence,
    })
    return apiReportChanged ? [shown(config.reportFilePath)] : []
  })
}

/** Reports of entries that are gone. @param {Package} pkg @param {import("@microsoft/api-extractor").ExtractorConfig[]} configs @param {boolean} write */
function left({ folder }, configs, write) {
  const wanted = new Set(configs.map(({ reportFilePath }) => basename(reportFilePath)))
  const stale = filesBelow(join(folder, "api")).filter((path) => !wanted.has(basename(path)))
  if (write) for (const path of stale) rmSync(path)
  return stale.map((path) => `${shown(path)} (its entry is gone)`)
}

/** @param {typeof import("@microsoft/api-extractor").ExtractorConfig} ExtractorConfig @param {Package} pkg @param {Entry} entry */
function configFor(ExtractorConfig, { folder, short, manifest }, entry) {
  const name = entry.specifier.replace(manifest.name, short).replaceAll("/", ".")
  const none = { default: { logLevel: /** @type {never} */ ("none") } }
  return ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(folder, "package.json"),
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: entry.types,
      compiler: { tsconfigFilePath: join(folder, "tsconfig.json") },
      apiReport: {
        enabled: true,
        reportFileName: `${name}.api.md`,
        reportFolder: join(folder, "api"),
        reportTempFolder: join(root, "node_modules", ".cache", "api-report"),
        // What an entry mentions without exporting it is written out once, in the report of the package's root.
        includeForgottenExports: entry.specifier === manifest.name,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: "lf",
      messages: { compilerMessageReporting: none, extractorMessageReporting: none, tsdocMessageReporting: none },
    },
  })
}

/** The comparison is the message. @param {{ handled: boolean }} message */
function silence(message) {
  message.handled = true
}
