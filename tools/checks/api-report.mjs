import { mkdirSync, rmSync } from "node:fs"
import { basename, join } from "node:path"
import { entriesOf, filesBelow, packages, root, shown } from "../workspace.mjs"

/** @typedef {import("../workspace.mjs").Package} Package */
/** @typedef {import("../workspace.mjs").Entry} Entry */

/**
 * Compares the API reports, which list the public types of each entry, with the built packages.
 * @param {{ write: boolean }} options `write`: update the reports
 * @returns {Promise<string[]>} the reports that are or were outdated
 */
export async function compareReports({ write }) {
  const extractor = (await import("@microsoft/api-extractor")).default
  return packages().flatMap((pkg) => {
    const configs = reported(pkg).map((entry) => configFor(extractor.ExtractorConfig, pkg, entry))
    mkdirSync(join(pkg.folder, "api"), { recursive: true })
    return [...written(extractor, configs, write), ...stale(pkg, configs, write)]
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

/** Reports of entries that no longer exist. @param {Package} pkg @param {import("@microsoft/api-extractor").ExtractorConfig[]} configs @param {boolean} write */
function stale({ folder }, configs, write) {
  const wanted = new Set(configs.map(({ reportFilePath }) => basename(reportFilePath)))
  const paths = filesBelow(join(folder, "api")).filter((path) => !wanted.has(basename(path)))
  if (write) for (const path of paths) rmSync(path)
  return paths.map((path) => `${shown(path)} (the entry no longer exists)`)
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
        // Types that entries mention without exporting them appear once, in the report of the root entry.
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

/** The returned list is the message. @param {{ handled: boolean }} message */
function silence(message) {
  message.handled = true
}
