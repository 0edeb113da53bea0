@echo off
rem The command line of an installed Refile, with a Node of its own: the window's program has no console.
setlocal
set "REFILE_WINDOW=%~dp0..\..\Refile.exe"
if not defined REFILE_RESOURCES set "REFILE_RESOURCES=%~dp0.."
"%~dp0node.exe" "%~dp0..\app.asar.unpacked\dist\cli\main.js" %*
