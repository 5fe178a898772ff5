import type { ConfigurationFile } from "../project/find-configuration.js"
import { listens } from "./reading.js"

/** The file to run. In a split configuration, the file that passes it to Latchkey has all of it. */
export function runnable(files: readonly ConfigurationFile[], file: ConfigurationFile): string {
  const isCalled = ({ configurations }: ConfigurationFile) => configurations.some((one) => one.isCalled)
  const caller = isCalled(file) ? file : files.find((one) => isCalled(one) && !listens(one.source))
  return (caller ?? file).path
}
