export { type Deployment, startDeployment } from './deployment.ts'
