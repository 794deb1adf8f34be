import * as parse from './config-values.ts'

/** Settings for the bucket that stores the installation's files instead of DATA_DIR. */
export const s3Settings = {
  s3Bucket: parse.setting('S3_BUCKET', '', parse.optional(parse.readText), {
    about:
      'The S3-compatible bucket for new files, instead of DATA_DIR. Existing files stay where they are. It requires S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY. A project may have its own bucket: `bin/deskbell project bucket`.',
    example: 'deskbell-files',
  }),
  s3Endpoint: parse.setting('S3_ENDPOINT', '', parse.optional(parse.url('http:', 'https:')), {
    about: "The URL of the S3 server. If it is not set, Amazon's server in S3_REGION is used.",
    example: 'https://s3.example.com',
  }),
  s3Region: parse.setting('S3_REGION', 'us-east-1', parse.readText, {
    about: 'The region of S3_BUCKET. Most servers other than Amazon accept any region.',
    example: 'eu-central-1',
  }),
  s3AccessKeyId: parse.setting('S3_ACCESS_KEY_ID', '', parse.optional(parse.readText), {
    about: 'The access key for S3_BUCKET. The database keeps it, encrypted, as long as the bucket has files.',
    example: 'AKIAIOSFODNN7EXAMPLE',
  }),
  s3SecretAccessKey: parse.setting('S3_SECRET_ACCESS_KEY', '', parse.optional(parse.readText), {
    about: 'The secret that belongs to S3_ACCESS_KEY_ID.',
    example: 'the secret that was shown with the access key',
  }),
  s3PathStyle: parse.toggle(
    'S3_PATH_STYLE',
    'on',
    'Whether URLs contain the name of the bucket in the path (`on`) or in the host name (`off`). Most servers other than Amazon need `on`.',
  ),
}
