/**
 * Fonts for scripts that neither Refile, or its small package, nor every computer has: Noto's, of the npm packages `@expo-google-fonts/…`
 * (https://github.com/expo/google-fonts).
 */
import { shippedFile } from '../../shared/model-folders.ts'
import type { Pack } from './model.ts'
import { keepFile, keepFiles, npmPackage } from './npm-package.ts'

/** @param integrity see `npmPackage` */
function font(id: string, version: string, bytes: number, integrity: string): Pack {
  const name = id.replace(/(?:^|-)./g, start => start.replace('-', ' ').toUpperCase())
  const face = `${name.replaceAll(' ', '')}_400Regular.ttf`
  return {
    id,
    name,
    script: name.replace(/^Noto \w+ /, ''),
    licence: 'OFL-1.1',
    file: `fonts/${id}.ttf`,
    ...npmPackage('@expo-google-fonts', id, version, bytes, integrity),
    unpack: (downloaded, path) => keepFile(downloaded, `400Regular/${face}`, path),
  }
}

const chineseFaces = ['400Regular', '700Bold'].map(weight => `${weight}/NotoSansSC_${weight}.ttf`)

/** Small packages of Refile have no font of these. */
const chinese: Pack = {
  ...font(
    'noto-sans-sc',
    '0.4.3',
    56_954_252,
    '9rAwdFTFHbO/u6Cs0gj2jZbW74TGIiaFNQnXYH2s5wA1bzVkwbaviL4t8YUV642eGYjg86eH6DkAEQmfNHDncQ==',
  ),
  name: 'Noto Sans SC',
  script: 'Chinese and Japanese',
  file: 'fonts/noto-sans-sc',
  isFolder: true,
  isShipped: () => shippedFile(`@expo-google-fonts/noto-sans-sc/${chineseFaces[0]}`) !== undefined,
  unpack: (downloaded, path) => keepFiles(downloaded, chineseFaces, path),
}

// biome-ignore format: a table
export const scriptFonts: readonly Pack[] = [
  chinese,
  font('noto-sans-syriac', '0.4.2', 1_308_416, 'UxuC/EvdVlqynDTMbcU+N9oKX4qKUAvOMyn9XRLywNQsurJrpagXBB9kM+P9ICKr2rePYhO9+RIGofVGREyuCQ=='),
  font('noto-sans-thaana', '0.4.2', 1_186_237, 'nidXdOuvsuuhdb0bXxSQxxg7uW0eAEXtqU3wmJ5Yo7m5VmCe1Zdy5MX+2EWo86qlWG4NK9YoGjmU04/dCt+FIw=='),
  font('noto-sans-devanagari', '0.4.1', 1_855_978, '26boYPNKGP1r4R5MxsMAY/zCQOwiXLOJzX8sh1a2oEWyQurQsyniaCv4992c+9jjwshEEt2NNVv5GcnyzaL7QQ=='),
  font('noto-sans-bengali', '0.4.4', 1_637_434, 'Ya58tLTEdP4P5EF3ZXTM829/g57mbfW8OrD16MMZr2sC3nIKItl/3J9tZlk1nrtqfFGzIgxb+zt/hLjAaTAQgQ=='),
  font('noto-sans-gurmukhi', '0.4.1', 1_243_366, 'yAaWoUawvVD/50HnZWN1lABWOy9eNcbS3i9bRjoXwEueaoI7E2dTd7liA2BcJ/uTkFUgYWd5QOjIfoCXnTo44Q=='),
  font('noto-sans-gujarati', '0.4.2', 1_609_922, 'KtJySkho6C2Yf28dZx1SYwAs671hncIpBpIlTDzxLv7i7iOFJ2p74nzyP23aY04HUm28ELX7r86Dmui/qpLpMg=='),
  font('noto-sans-oriya', '0.4.2', 1_610_210, 'sKGcpny4wTSs3ooReAN2Nrore5tkVtEdgBkDN2qsxubpY2UBmtrE+DOQSYLq0zqkiH5rtIuQJwr0GcLXH3DbaQ=='),
  font('noto-sans-tamil', '0.4.3', 1_250_136, '1TBkwJ8gJPnt1UIC+um987hYb/QmRDATGKbtwDW6dajISxr8b7+EVjwMESMJaQxfNS8VWE4IBT2jYmpBGw4D+w=='),
  font('noto-sans-telugu', '0.4.2', 1_572_026, 't5wZI1/2u69ugVr2v9P4Qqt9BHHwDQ/26+1p9MLrwf1lNSW64Mw16AIRzGWIOcRMd0drYWeZzZO1DqoFts3KiA=='),
  font('noto-sans-kannada', '0.4.3', 1_501_297, 'nFDeSKVlpCJpd4x4E+W5WwfJVJ5fGN5pa/szOvE9GotDEYTPuhd8SzKYsQ4F2PVbzXRT21jMXxJ70tKPvItuGA=='),
  font('noto-sans-malayalam', '0.4.2', 1_451_040, 'TZfS4nKhsQftD4nJr5R4fOO7EKe0L5RAscmYehignHr5JJVzW49Nxom0w0rnmHDU2iV3zWIOeyx3rN3bkHGI0A=='),
  font('noto-sans-sinhala', '0.4.2', 1_614_945, 'pczEE8p3aAvnMuVSppyW8d9dqlg9wxr8R3BfEUB9qPQHAWlR9TsSlaGbF/G/j8k4fSU21swf+v5p4BeTuFeMtA=='),
  font('noto-sans-thai', '0.4.2', 1_134_206, 'PGBBBDGfJJ/5y2hNweLBZWD4YmVT4uOO4chsOPXyl0TktaBJamDKVKv/WbGiDTeBGdkegLiytsWo+lhnkHP5qA=='),
  font('noto-serif-tibetan', '0.4.2', 3_800_331, 'e3PdLzPldwsirxE0xUN3IQ69XG6QOTQT1jxm2AnB3RrYPHLC+043AM4VZCkYXfepr1oPqK4caEKkuXyehF6y5Q=='),
  font('noto-sans-myanmar', '0.4.2', 1_785_947, 'qG8DHmy+7xFvW5z8lN3r5jjEXoQBhjpjoxXR/Y8/WcywirPIBZnFpAy5IlwCRSobJdCw3+i7gvmIz1bl6mp7bg=='),
  font('noto-sans-ethiopic', '0.4.2', 2_341_363, 'puS0u1/7b0kZ6fqOYaSlCdai8zHuD9CQY2qlyJEtYzUC5Nd1fH3QENmQc0a1Gcqe0q9s3n7440eNJSLK2mGouw=='),
  font('noto-sans-cherokee', '0.4.2', 1_550_984, 'is5EWWgdBLNfNeoR31YeZV4A+3ykMwOPb90mhkai1J0x/NVSm4HBYocPzE9ONEwrx+iOCn2KqAVaTw27H+ps0A=='),
  font('noto-sans-khmer', '0.4.3', 1_319_415, 'vBG7J/w4j+tPTPA53a43zb/s/K3AjHRTDbEG4omn/xs4dThknBh4aVRJ4zwROLy7OeZnhQPDkGRUEPAi8C/btg=='),
  font('noto-sans-mongolian', '0.4.1', 328_112, '9rw05f/r0jyfV2SEcNPiseil08lygCMOnv6+YKuKTBrRWPoYFKCrE6iscE/jRZtNC9BZ0Xa62n2DI2KC9kb5NQ=='),
  font('noto-sans-balinese', '0.4.1', 711_950, '7VtC9lN33+aaF2PaiKfJre/xD/8PV1kuY156Na7o1Fjxb2qHlviA1bo51xcb+7Ggx3euGjZA+k8hXTar0powlg=='),
  font('noto-sans-yi', '0.4.2', 312_310, 'U+p3KFz3FuL/Ncv7vV3mJtp73dS/tI3E9S4mtqV09pycCrRcExrRCUvvStWeVfpSpTDMNpPqZu4aRHWHauJRIw=='),
  font('noto-sans-javanese', '0.4.2', 756_964, 'm/hJ0xonQOt1oC3OQGAey6cb18P5xNOE0KhdHIoZbd0W0VjaJh300yccA2qW199ssMbwkiO1xKECleDjcYFIfw=='),
  font('noto-sans-ol-chiki', '0.4.2', 553_898, 'NuhY9YHGOIz08jjbmxyfdtBgiPhNbmszgHbgsnvuaEbZnZ5rggBMBRqYgIm+hf83LdT3WgfXH33GBITt1S5fxA=='),
  font('noto-sans-adlam', '0.4.1', 610_551, 'igxXtI8Q4WtmnB0+xEZGkwyPXdR2BZ/nwxWTQWHYJOgvCJQMVb+GpnkncVpQVwQJAzpR2gBs4w79vFDIEA2DFQ=='),
  font('noto-sans-meetei-mayek', '0.4.2', 1_310_371, 'sFvMsr5k6svOFgf2HDzrAGEcB/0PMNG5lO/vsqA67a/Sfy09SbEMxkcVRmCRZ0MjwliwXU9bKyxW483bp38RXQ=='),
  font('noto-sans-chakma', '0.4.2', 234_722, 'xfYKs+/grFZ2XyJ+JIWpWObph3clOQlCeDIYseHmulQVdGLK8YX55IHJf5+K/bK68iOpsMmhM0bIJ7TP8WOgRw=='),
  font('noto-sans-vai', '0.4.2', 213_652, '5ziTHFUCeJWohc/WTYMCrxwdT1g4U/9EcG6APqqApViYWKLqxmTA06VeisFxsFCnJtvqWIyiUsiyEGmkMBTV0Q=='),
]
