import { stepUpFiles } from "./nestjs-step-up.js"
import { stepUp } from "./step-up.js"
import { frameworkSuite } from "./suite.js"

frameworkSuite(
  {
    id: "nestjs",
    name: "NestJS",
    major: 12,
    variant: "on Express",
    versions: ["@nestjs/core", "@nestjs/platform-express"],
    example: "nestjs",
    build: [["tsc", "-p", "."]],
    start: ["node", "dist/main.js"],
    files: stepUpFiles,
    options: { "src/main.ts": ['app.set("trust proxy", "loopback")'] },
    pages: true,
    client: false,
  },
  stepUp,
)
