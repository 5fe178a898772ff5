import { stepUpFiles } from "./nestjs-step-up.js"
import { stepUp } from "./step-up.js"
import { frameworkSuite } from "./suite.js"

frameworkSuite(
  {
    id: "nestjs-fastify",
    name: "NestJS",
    major: 12,
    variant: "on Fastify",
    versions: ["@nestjs/core", "@nestjs/platform-fastify"],
    example: "nestjs",
    build: [["tsc", "-p", "."]],
    start: ["node", "dist/main.js"],
    files: stepUpFiles,
    options: { "src/main.ts": ['trustProxy: "loopback"'] },
    env: { PLATFORM: "fastify" },
    pages: true,
    client: false,
  },
  stepUp,
)
